"""MockBackEnd: canned proposals, for dry runs and tests."""

from collections.abc import Iterable, Iterator

from core.base.errors import GoalError, SurehandError
from core.planning.planners.ports import Proposal, ProposalRequest


class MockBackEnd:
    """Proposes what it was given, one proposal a request."""

    def __init__(self, proposals: Iterable[Proposal | SurehandError]) -> None:
        """Propose these, in order; an error among them is raised in its turn."""
        self._proposals: Iterator[Proposal | SurehandError] = iter(proposals)
        self.requests: list[ProposalRequest] = []

    @property
    def name(self) -> str:
        """Return its name."""
        return "mock"

    async def propose(self, request: ProposalRequest) -> Proposal:
        """Propose the next one.

        Raises:
            GoalError: If none is left.
        """
        self.requests.append(request)
        proposal = next(self._proposals, None)
        if proposal is None:
            raise GoalError("No canned proposal is left.", hint="Give the back end one for each request.")
        if isinstance(proposal, SurehandError):
            raise proposal
        return proposal
