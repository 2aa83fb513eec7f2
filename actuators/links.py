"""Links that lead out of the folders that a run may use, for tools that hand paths to other programs.

The file tools open everything through handles, so that nothing can change under them. A browser wants a path, so what a
link makes of it is looked at just before; whoever can swap links in the workspace at that moment isn't kept out.
"""

import os
import sys

from core.addresses.path_parts import lies_inside
from core.base.errors import FileError
from core.policy.policy import Policy


def refuse_links_out(path: str, policy: Policy) -> None:
    """Refuse by ``outside_roots`` an absolute path that links lead out of the allowed folders, where there are any.

    What doesn't exist yet is judged by the folders above it.
    """
    if policy.roots is None:
        return
    real = os.path.realpath(path)
    if any(lies_inside(real, os.path.realpath(root), sys.platform) for root in policy.roots):
        return
    raise FileError(
        f"{path} leads to {real}, which is outside the folders that this run may use ({', '.join(policy.roots)}).",
        code="outside_roots",
        hint="The path goes through a link; name the folder itself, and allow it if you want.",
        evidence={"path": path, "real": real},
    )
