"""The addresses of all fixture pages that can be looked at: static ones by their files, and what the servers make."""

from pathlib import Path

from fixtures.site_handlers.documents_site import KINDS
from fixtures.site_handlers.shop_stock import CATEGORIES, ITEMS

SITES = Path(__file__).resolve().parents[3] / "fixtures" / "sites"
TEMPLATES = frozenset(
    (
        "bare", "layout", "shop/basket-empty", "shop/basket-row", "shop/card-frame", "shop/category", "shop/frame", "shop/item", "shop/layout",
        "shop/missing", "shop/order", "shop/pay-frame", "shop/photo", "shop/refused", "shop/signin-form",
    )
)  # fmt: skip
# Nobody can be asked there what could be acted on: the page has broken its own world, has none, or is about to be another one.
UNJUDGED = frozenset(("broken", "gone", "written"))
MADE = ("/shop/pay", "/shop/card", "/shop/search?q=cup", "/echo", "/status/404", "/frames/late-frame")


def list_fixture_pages() -> list[str]:
    """Return the paths, in order."""
    names = {path.relative_to(SITES).with_suffix("").as_posix() for path in SITES.rglob("*.html")} - TEMPLATES
    static = {f"/{name}".removesuffix("index") for name in names}
    shop = {f"/shop/item/{ITEMS[0].slug}", f"/shop/category/{CATEGORIES[0].slug}"}
    documents = {f"/documents/{kind}" for kind in KINDS.keys() - UNJUDGED}
    return sorted(static | shop | documents | {*MADE})
