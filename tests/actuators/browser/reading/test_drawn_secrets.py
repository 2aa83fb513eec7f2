"""Secrets that pages draw, or put into what a print writes beside what is seen."""

from dataclasses import replace
from pathlib import Path

import pytest

from actuators.browser.playwright.finding.failure_snapshots import list_masks
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.goals.secret_values import Secret
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.session.test_secrets import HANDLE, TOKEN, Desk, make_vault, picture
from tests.spies import find_leaks


@pytest.fixture
async def desk(session: PlaywrightSession, context: ActionContext, site: SiteServer, tmp_path: Path) -> Desk:
    vault = make_vault(tmp_path, token=TOKEN, third='thïrd "8&+ %/y')
    desk = Desk(session, replace(context, vault=vault), site)
    await desk.open()
    return desk


DRAW = """(how) => {
    const field = document.querySelector('[name=token]');
    const text = field.value;
    field.blur();
    document.body.innerHTML = '<canvas id=chart width=300 height=60></canvas><div id=host></div>';
    const host = document.querySelector('#host').attachShadow({mode: 'closed'});
    host.innerHTML = '<canvas width=600 height=60></canvas>';
    const write = (pen, word, x = 10) => { pen.font = '20px monospace'; pen.fillText(word, x, 30); };
    write(document.querySelector('#chart').getContext('2d'), 'Sales of May');
    const canvas = host.querySelector('canvas');
    const spare = new OffscreenCanvas(600, 60);
    const ways = {
        whole: () => write(canvas.getContext('2d'), 'your token: ' + text),
        stroked: () => { const pen = canvas.getContext('2d'); pen.font = '20px serif'; pen.strokeText(text, 10, 30); },
        letters: () => Array.from(text).forEach((letter, at) => write(canvas.getContext('2d'), letter, 10 + 14 * at)),
        backwards: () => Array.from(text).reverse().forEach((letter, at) => write(canvas.getContext('2d'), letter, 400 - 14 * at)),
        copied: () => { write(spare.getContext('2d'), text); canvas.getContext('2d').drawImage(spare, 0, 0); },
        bitmap: () => { write(spare.getContext('2d'), text);
            canvas.getContext('bitmaprenderer').transferFromImageBitmap(spare.transferToImageBitmap()); },
        frame: () => { const frame = document.body.appendChild(document.createElement('iframe'));
            const inner = frame.contentDocument.body.appendChild(frame.contentDocument.createElement('canvas'));
            write(inner.getContext('2d'), text); },
        svg: () => { host.innerHTML = '<svg width=600 height=60><text y=30 font-family=monospace></text></svg>'; host.querySelector('text').textContent = text; },
        image: () => { const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="60"><text y="30">${encodeURIComponent(text)
            .replaceAll('%26', '%26amp;').replaceAll('%22', '%26quot;')}</text></svg>`;
            host.innerHTML = '<img width=600 height=60>'; host.querySelector('img').src = 'data:image/svg+xml,' + svg; },
        placeholder: () => { host.innerHTML = '<input>'; host.querySelector('input').placeholder = text; },
    };
    ways[how]();
}"""
DRAWN = ["whole", "stroked", "letters", "backwards", "copied", "bitmap", "frame", "svg", "image", "placeholder"]


@pytest.mark.parametrize("how", DRAWN)
async def test_what_a_page_draws_of_a_secret_is_covered_and_other_drawings_are_not(
    desk: Desk, tmp_path: Path, how: str
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    seen: list[bytes] = []
    for secret in (HANDLE, Secret("third")):
        await desk.open()
        await desk.type('field "Token"', secret)
        await desk.session.current_page(desk.context).evaluate(DRAW, how)
        seen.append(await picture(desk, folder))
    assert seen[0] == seen[1]
    page = desk.session.current_page(desk.context)
    masks = list_masks(page, desk.context.vault)
    assert sum([await mask.count() for mask in masks]) == 1
    assert "chart" not in [await each.get_attribute("id") for mask in masks for each in await mask.all()]


async def test_a_print_holds_no_secret_in_its_title_or_its_links(desk: Desk, tmp_path: Path) -> None:
    await desk.type('field "Token"')
    page = desk.session.current_page(desk.context)
    script = """() => {
        const text = document.querySelector('[name=token]').value;
        document.title = 'Token ' + text;
        const link = document.body.appendChild(document.createElement('a'));
        link.href = '/next?token=' + encodeURIComponent(text);
        link.textContent = 'next';
    }"""
    await page.evaluate(script)
    path = tmp_path / "page.pdf"
    await desk.reading.pdf(desk.context, str(path))
    content = path.read_bytes()
    assert find_leaks(TOKEN, content) == []
    assert TOKEN.encode("utf-16-be").hex().encode() not in content.lower()
    assert TOKEN.encode("utf-16-be") not in content
    assert "•••".encode("utf-16-be").hex().encode() in content.lower()
    assert await page.title() == f"Token {TOKEN}"
