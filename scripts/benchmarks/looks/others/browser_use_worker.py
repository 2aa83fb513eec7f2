"""One browser-use session: `browser_use_worker.py BROWSER HOME WIDTH HEIGHT`, in an environment that has browser-use.

Reads `[what, given]`, a line of JSON each, and answers each with `{"result"}` or `{"error"}`: `open` goes to an address, `look` serialises
the page as an agent's step does, cut to what its prompt has room for, and `identify` returns the numbers that a script writes on
the elements whose index was in that text.
"""

import asyncio
import json
import re
import sys
from importlib import import_module
from typing import Any

INDEX = re.compile(r"\[(\d+)\]<")


class Looker:
    """Looks at pages as an agent of browser-use does, without a model.

    Attributes:
        session: The browser.
    """

    def __init__(self, session: Any) -> None:
        """Look through a session that has been started."""
        self.session = session
        self._seen: dict[int, int] = {}
        self._text = ""
        settings: Any = import_module("browser_use.agent.views").AgentSettings()
        self._most_chars: int = settings.max_clickable_elements_length
        profile = session.browser_profile
        self._service: Any = import_module("browser_use.dom.service").DomService(
            browser_session=session,
            cross_origin_iframes=profile.cross_origin_iframes,
            paint_order_filtering=profile.paint_order_filtering,
            max_iframes=profile.max_iframes,
            max_iframe_depth=profile.max_iframe_depth,
        )

    async def open(self, address: str) -> bool:
        """Go to an address."""
        await self.session.navigate_to(address)
        return True

    async def look(self, _: str) -> str:
        """Return the page's elements in words."""
        state = (await self._service.get_serialized_dom_tree())[0]
        self._text = state.llm_representation()[: self._most_chars]
        self._seen = {index: node.backend_node_id for index, node in state.selector_map.items()}
        return self._text

    async def identify(self, script: str) -> list[int]:
        """Return the numbers of the elements that the text tells of."""
        cdp = await self.session.get_or_create_cdp_session()
        asked = {"expression": f"({script.strip().rstrip(';')})(true)"}
        await cdp.cdp_client.send.Runtime.evaluate(params=asked, session_id=cdp.session_id)
        found: list[int] = []
        for index in dict.fromkeys(map(int, INDEX.findall(self._text))):
            if index in self._seen:
                told = await cdp.cdp_client.send.DOM.describeNode(
                    params={"backendNodeId": self._seen[index]}, session_id=cdp.session_id
                )
                attributes = told["node"].get("attributes", [])
                held = dict(zip(attributes[::2], attributes[1::2], strict=False))
                found += [int(held["data-bench"])] if "data-bench" in held else []
        return found


async def serve(executable: str, home: str, width: int, height: int) -> None:
    """Answer until nobody asks any more."""
    browser_use: Any = import_module("browser_use")
    size = {"width": width, "height": height}
    session = browser_use.BrowserSession(
        executable_path=executable,
        headless=True,
        chromium_sandbox=False,
        user_data_dir=f"{home}/profile",
        viewport=size,
        enable_default_extensions=False,
        keep_alive=True,
    )
    await session.start()
    looker = Looker(session)
    answers = {"open": looker.open, "look": looker.look, "identify": looker.identify}
    _say("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        what, given = json.loads(line)
        try:
            _say({"result": await answers[what](given)})
        except (RuntimeError, OSError, ValueError) as error:
            _say({"error": f"{type(error).__name__}: {error}"})
    await session.kill()


def _say(what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
