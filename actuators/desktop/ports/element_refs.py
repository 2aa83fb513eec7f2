"""Numbers by which outlines refer to elements for as long as these live, across looks."""

from collections import OrderedDict
from collections.abc import Hashable

from actuators.desktop.ports.desktop import Element

_KEPT = 200_000


class ElementRefs:
    """The elements that have been outlined, by number; the ones that were longest not seen are forgotten."""

    def __init__(self) -> None:
        self._refs: OrderedDict[Hashable, str] = OrderedDict()
        self._count = 0

    def refer(self, element: Element) -> str:
        """Return the number of an element, such as ``e12``; the same at every look."""
        identity = identify(element)
        if identity not in self._refs:
            self._count += 1
            self._refs[identity] = f"e{self._count}"
            if len(self._refs) > _KEPT:
                self._refs.popitem(last=False)
        self._refs.move_to_end(identity)
        return self._refs[identity]

    def is_called(self, element: Element, ref: str) -> bool:
        """Tell whether a number is that of an element."""
        return self._refs.get(identify(element)) == ref


def identify(element: Element) -> Hashable:
    """Return what is the same of an element at every look."""
    return element.details.get("identity", element.ref)
