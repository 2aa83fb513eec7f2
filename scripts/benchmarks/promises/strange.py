"""Pages that nobody has designed: parts of pages put into one another at random, with names as bad as names can be.

All that is drawn comes from one `random.Random`, so that a page is made again from its seed, and hypothesis can look for the smallest that fails.
"""

from collections.abc import Callable
from html import escape
from random import Random

WORDS = ("Save", "Delete", "Tea", "Ada", "Billing", "Name", "Email", "Order", "Open", "Small", "Price")
NAMES = (
    *WORDS, "Save changes", "Delete", "Edit", "Edit", "Tea", 'Say "hi"', "It's", "back\\slash", 'end\\"', "two\nlines", "a # b", "… 3 more rows like this",
    'button "Save"', 'button "Save" in "Ada"', "ref=e1", "\u202etfel ot thgir", "zero\u200bwidth", "soft\u00adhyphen", "nbsp\u00a0here",
    "👩\u200d👩\u200d👧 family", "✕", "×", "…", "#", '"', "\\", "漢字", "Ёлка", "café", "cafe\u0301", "١٢٣", "İstanbul", "straße", "x" * 90,
    "word " * 60, "1", "15", "5", "A", "Naïve “quotes”", "50 %", "a >> b", "frame", "in", "nth 2", "Name:", "Name *", "<b>bold</b>", "&amp;",
)  # fmt: skip
ICONS = ("trash", "edit", "close", "search", "menu", "star", "user-plus", "k-x7f3a")
STYLE = "<style>.p { cursor: pointer } .h { display: none } .o { position: absolute; left: -9999px } section, form, fieldset, div { margin: 2px }</style>"
DEEPEST = 4
MOST_PARTS = 5
_FRAMED = 2


class PageMaker:
    """Makes one page."""

    def __init__(self, random: Random) -> None:
        """Begin with nothing.

        Args:
            random: What is drawn from.
        """
        self._random = random
        self._ids = 0
        self._framed = 0

    def make(self) -> str:
        """Return a page."""
        body = self._make_parts(0)
        cover = self._random.choice(("", "", "", self._make_overlay()))
        return f"<!doctype html><title>Strange</title>{STYLE}<h1>{self._name()}</h1>{body}{cover}"

    def _name(self) -> str:
        return escape(self._random.choice(NAMES))

    def _id(self) -> str:
        self._ids += 1
        return f"i{self._ids}"

    def _make_parts(self, depth: int) -> str:
        makers = [*self._leaves(), *(self._holders() if depth < DEEPEST else ())]
        count = self._random.randint(1, MOST_PARTS)
        return "\n".join(self._random.choice(makers)(depth + 1) for _ in range(count))

    def _leaves(self) -> tuple[Callable[[int], str], ...]:
        return (
            self._button,
            self._link,
            self._field,
            self._tick,
            self._select,
            self._pressed,
            self._icon,
            self._text,
            self._heading,
        )

    def _holders(self) -> tuple[Callable[[int], str], ...]:
        return (
            self._region, self._form, self._list, self._table, self._cards, self._details, self._shadow, self._slots, self._frame, self._hidden, self._wrapped,
        )  # fmt: skip

    def _button(self, _: int) -> str:
        state = self._random.choice(("", "", "", " disabled", " aria-pressed=true", " aria-expanded=false"))
        return self._random.choice(
            (
                f"<button type=button{state}>{self._name()}</button>",
                f'<input type=button value="{self._name()}"{state}>',
                f'<button type=button{state} aria-label="{self._name()}"><svg width=9 height=9><path d="M0 0h9v9"/></svg></button>',
                f"<div role=button tabindex=0{state}>{self._name()}</div>",
                f'<button type=button{state} title="{self._name()}"></button>',
            )
        )

    def _link(self, _: int) -> str:
        link = f'<a href="#{self._random.randint(1, 9)}">{self._name()}</a>'
        return self._random.choice((link, f"<p>{self._name()} {link} {self._name()}</p>", f"<h3>{link}</h3>"))

    def _field(self, _: int) -> str:
        at, kind = self._id(), self._random.choice(("text", "email", "date", "number", "password", "search", "range"))
        given = self._random.choice(("", f' value="{self._name()}"', ' value="3"', " readonly", " required"))
        field = f"<input type={kind} id={at}{given}>"
        return self._random.choice(
            (
                f"<label for={at}>{self._name()}</label> {field}",
                f"<label>{self._name()} {field}</label>",
                f'<input type={kind} placeholder="{self._name()}"{given}>',
                f'<input type={kind} aria-label="{self._name()}"{given}>',
                f"<span>{self._name()}</span> {field}",
                field,
                f'<textarea aria-label="{self._name()}">{self._name()}</textarea>',
                f'<div contenteditable role=textbox aria-label="{self._name()}">{self._name()}</div>',
            )
        )

    def _tick(self, _: int) -> str:
        kind = self._random.choice(("checkbox", "radio"))
        name, state = self._id(), self._random.choice(("", " checked", " disabled"))
        return self._random.choice(
            (
                f"<label><input type={kind} name={name}{state}> {self._name()}</label>",
                f"<input type={kind} name={name}{state}> {self._name()}",
                f"<input type={kind} name={name}{state} id={name} style='opacity: 0; position: absolute'><label for={name}>{self._name()}</label>",
                f"<span role=switch tabindex=0 aria-checked=false aria-label='{self._name()}'>o</span>",
            )
        )

    def _select(self, _: int) -> str:
        at = self._id()
        options = "".join(f"<option>{self._name()}</option>" for _ in range(self._random.randint(0, 4)))
        return f"<label for={at}>{self._name()}</label> <select id={at}{self._random.choice(('', ' multiple'))}>{options}</select>"

    def _pressed(self, _: int) -> str:
        return self._random.choice(
            (
                f'<div class=p onclick="1">{self._name()}</div>',
                f"<span class=p>{self._name()}</span>",
                f"<span tabindex=0>{self._name()}</span>",
                f"<div class=p>{self._name()} <b>{self._name()}</b></div>",
            )
        )

    def _icon(self, _: int) -> str:
        icon = self._random.choice(ICONS)
        return self._random.choice(
            (
                f"<button type=button><i class='fa fa-{icon}'></i></button>",
                f"<span class='p icon-{icon}' style='display: inline-block; width: 16px; height: 16px; background: red'></span>",
                f"<a href='#' class='btn-{icon}'><svg width=12 height=12><rect width=12 height=12 /></svg></a>",
                "<button type=button><svg width=12 height=12><circle r=6 /></svg></button>",
                f"<img alt='{icon}' onclick='1' style='width: 20px; height: 20px'>",
            )
        )

    def _text(self, _: int) -> str:
        return f"<p>{self._name()} <b>{self._name()}</b></p>"

    def _heading(self, _: int) -> str:
        return f"<h{(rank := self._random.randint(2, 4))}>{self._name()}</h{rank}>"

    def _region(self, depth: int) -> str:
        tag = self._random.choice(
            (
                "section",
                "nav",
                "aside",
                "div role=region",
                "fieldset",
                "div role=group",
                "footer",
                "header",
                "article",
                "main",
            )
        )
        head = self._random.choice(("", f"<h2>{self._name()}</h2>", f"<legend>{self._name()}</legend>"))
        label = self._random.choice(("", f' aria-label="{self._name()}"'))
        return f"<{tag}{label}>{head}{self._make_parts(depth)}</{tag.split()[0]}>"

    def _form(self, depth: int) -> str:
        return f'<form onsubmit="return false"{self._random.choice(("", f""" aria-label="{self._name()}" """))}>{self._make_parts(depth)}</form>'

    def _list(self, depth: int) -> str:
        entry = self._make_parts(depth)
        entries = "".join(
            f"<li>{self._name()} {self._random.choice((entry, entry, self._make_parts(DEEPEST)))}</li>"
            for _ in range(self._random.randint(1, 4))
        )
        return f"<ul>{entries}</ul>"

    def _table(self, depth: int) -> str:
        columns = [self._name() for _ in range(self._random.randint(1, 3))]
        head = self._random.choice(("", "<tr>" + "".join(f"<th>{each}</th>" for each in columns) + "</tr>"))
        cell = self._random.choice(self._leaves())
        rows = "".join(
            "<tr>" + f"<td>{self._name()}</td>" + "".join(f"<td>{cell(depth)}</td>" for _ in columns[1:]) + "</tr>"
            for _ in range(self._random.randint(1, 6))
        )
        return f"<table>{self._random.choice(('', f'<caption>{self._name()}</caption>'))}{head}{rows}</table>"

    def _cards(self, depth: int) -> str:
        inner = self._random.choice(self._leaves())
        return "".join(
            f"<div class=card><strong>{self._name()}</strong>{inner(depth)}<button>Choose</button></div>"
            for _ in range(self._random.randint(2, 4))
        )

    def _details(self, depth: int) -> str:
        return f"<details{self._random.choice(('', ' open'))}><summary>{self._name()}</summary>{self._make_parts(depth)}</details>"

    def _shadow(self, depth: int) -> str:
        return f"<div><template shadowrootmode=open>{STYLE}{self._make_parts(depth)}</template></div>"

    def _slots(self, depth: int) -> str:
        shell = self._random.choice(
            (
                f"<section aria-label='{self._name()}'><slot></slot></section>",
                "<button type=button><slot></slot></button>",
                "<label><input type=checkbox><slot></slot></label>",
            )
        )
        inside = self._name() if "section" not in shell else self._make_parts(depth)
        return f"<div><template shadowrootmode=open>{STYLE}{shell}</template>{inside}</div>"

    def _frame(self, depth: int) -> str:
        if self._framed >= _FRAMED:
            return self._wrapped(depth)
        self._framed += 1
        title = self._random.choice(("", f' title="{self._name()}"'))
        inner = escape(f"<!doctype html>{STYLE}{self._make_parts(DEEPEST)}")
        return f'<iframe{title} srcdoc="{inner}" width=600 height=300></iframe>'

    def _hidden(self, depth: int) -> str:
        return f"<div class={self._random.choice(('h', 'o'))}>{self._make_parts(depth)}</div>"

    def _wrapped(self, depth: int) -> str:
        return f"<div><div><span>{self._make_parts(depth)}</span></div></div>"

    def _make_overlay(self) -> str:
        kind = self._random.choice(("role=dialog aria-modal=true", "class=popup", "role=alertdialog"))
        return f"<div {kind} aria-label='{self._name()}' style='position: fixed; inset: 20% 30%; background: white; overflow: auto'>{self._make_parts(DEEPEST)}</div>"
