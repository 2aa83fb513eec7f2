"""Putting the page engine together from its parts, so that no page can break it and its own faults are told as such.

Three things are done to the parts:

- They are built when the first question comes, and again at the next one if that failed. Playwright keeps an engine that could not be
  made for as long as the document lives; so making it must not fail, whatever the document lacks at that moment.
- Members of nodes are read past what the page has named. ``form.id`` is the field with the name ``id``, where there is one, and
  ``document.title`` may be a picture, in every world. Names can't stand before symbols: each member that is listed below gets one, and
  ``element.id`` becomes ``element[$id]``.
- Whatever is thrown is thrown on with a mark, the message, and the place in the parts, which ``find_fault`` reads from Playwright's error.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

FAULT_MARK = "surehand-fault:"
_SOURCE = "surehand-engine.js"
_LONGEST = 300

# What the engine reads of nodes that may be forms or documents; a field, or something else with a name, may stand before it.
_NAMES = (
    "activeElement alt attributes autocomplete baseURI body checkVisibility childElementCount childNodes children classList className "
    "clientHeight clientLeft clientTop clientWidth cloneNode closest compareDocumentPosition contains control createElement createRange "
    "createTreeWalker dispatchEvent documentElement elementFromPoint execCommand firstChild firstElementChild focus getAnimations "
    "getAttribute getBoundingClientRect getElementById getRootNode hasAttribute hasFocus head hidden id innerHTML innerText "
    "isConnected isContentEditable labels lang lastElementChild localName matches namespaceURI nextElementSibling nextSibling nodeName "
    "nodeType offsetHeight offsetWidth outerHTML parentElement parentNode placeholder previousElementSibling previousSibling querySelector "
    "querySelectorAll readOnly removeAttribute scrollBy scrollHeight scrollIntoView scrollLeft scrollTo scrollTop scrollWidth "
    "scrollingElement setAttribute shadowRoot style tabIndex textContent title"
)
_MEMBERS = tuple(_NAMES.split())
_MEMBER = re.compile(rf"(?<=[\w)\]])(\??)\.({'|'.join(_MEMBERS)})\b")

# One of these makes the browser keep all of the script in twice the room.
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

_HEAD = r"""(() => {
// Of forms, what they don't have themselves is nothing; of whatever isn't a node, the member of that name.
const KINDS = [EventTarget, Node, CharacterData, Element, HTMLElement, SVGElement, MathMLElement, Document, DocumentFragment, ShadowRoot];
function past(name) {
  const symbol = Symbol(name);
  const described = KINDS.map(({ prototype }) => [prototype, Object.getOwnPropertyDescriptor(prototype, name)]).filter(([, each]) => each);
  if (!described.some(([prototype]) => prototype === Element.prototype || prototype === HTMLElement.prototype || prototype === Node.prototype)) {
    described.push([HTMLFormElement.prototype, { value: undefined, writable: true }]);
  }
  Object.defineProperty(Object.prototype, symbol, { get() { return this[name]; }, set(value) { this[name] = value; }, configurable: true });
  for (const [prototype, each] of described) Object.defineProperty(prototype, symbol, each);
  return symbol;
}
const build = () => {
MEMBERS
"""
_TAIL = r"""
return (root, query) => { forgetTexts(); return queries[query.op](root, query); };
};
function mark(error) {
  const frame = String(error && error.stack).split('\n').find((line) => line.includes('SOURCE:')) || '';
  const [, place, line] = /(?:at (?:new )?([\w.$]+) )?\(?SOURCE:(\d+)/.exec(frame) || [];
  const fault = { message: String((error && error.message) || error).slice(0, LONGEST), function: place || '', line: Number(line) || 0, url: location.href.slice(0, LONGEST) };
  return new Error('FAULT_MARK' + encodeURIComponent(JSON.stringify(fault)));
}
let ask = null;
return { queryAll: (root, body) => {
  try {
    ask ||= build();
    return ask(root, JSON.parse(decodeURIComponent(body)));
  } catch (error) {
    throw mark(error);
  }
} };
})()
//# sourceURL=SOURCE
"""


@dataclass(frozen=True, slots=True)
class EngineFault:
    """What our own script inside a page failed with.

    Attributes:
        message: Of the exception.
        function: Of ours, in which it was thrown; empty where that isn't known.
        line: Of the engine's script.
        url: Of the document.
    """

    message: str
    function: str
    line: int
    url: str


@dataclass(frozen=True, slots=True)
class Assembly:
    """The engine's script and where its parts are.

    Attributes:
        script: All of it.
        starts: The first line of each part, by its name, in order.
    """

    script: str
    starts: Mapping[str, int]

    def find_place(self, line: int) -> str:
        """Return the part that a line of the script belongs to, and which line of it that is."""
        before = [(name, start) for name, start in self.starts.items() if start <= line]
        return f"{before[-1][0]}, line {line - before[-1][1] + 1}" if before else f"page_assembly, line {line}"


def assemble(parts: Mapping[str, str]) -> Assembly:
    """Put the engine together.

    Args:
        parts: Its scripts by the names of their modules; the last ones declare ``queries`` and use what the others declare.
    """
    members = " ".join(f"const ${name} = past('{name}');" for name in _MEMBERS)
    script, starts = _HEAD.replace("MEMBERS", members), dict[str, int]()
    for name, part in parts.items():
        starts[name] = script.count("\n") + 1
        script += _MEMBER.sub(lambda found: f"{found[1] and '?.'}[${found[2]}]", part) + "\n"
    tail = _TAIL.replace("SOURCE", _SOURCE).replace("FAULT_MARK", FAULT_MARK).replace("LONGEST", str(_LONGEST))
    return Assembly(_NOT_ASCII.sub(lambda found: f"\\u{ord(found[0]):04x}", script + tail), starts)


def find_fault(message: str) -> EngineFault | None:
    """Return what our own script failed with, if that is what an error of Playwright's says.

    Args:
        message: Playwright's message.
    """
    found = re.search(rf"{FAULT_MARK}([\w%.!~*'()-]+)", message)
    return EngineFault(**json.loads(unquote(found[1]))) if found else None
