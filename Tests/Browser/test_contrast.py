"""The contrast of texts and controls in every light, as browsers compute their colours."""

import pathlib

import pytest

from bookserver import books  # noqa: F401
from controls import WAKE, click, reach, typed
from fixtures import PDF_TITLE
from lights import stored
from screens import CALM
from steps import BOTH_IN_ALL, mainly

CONTRAST = pathlib.Path(__file__).with_name("contrast.js").read_text()
REST = "__lectern.isReady"
STILL = "document.getAnimations().every(({ playState }) => playState !== 'running')"
SHEET = "document.querySelector('dialog[open]')"


class Contrasts:
    """Looks at the screens of one window, and keeps the faults."""

    def __init__(self, reader):
        self.reader = reader
        self.faults = []

    def look(self, screen):
        """Looks at a screen with its bars shown."""
        self.reader.evaluate(CALM)
        self.reader.wait_for(f"{WAKE} && {REST} && document.body.classList.contains('awake') && {STILL}")
        found = self.reader.evaluate(CONTRAST)
        assert found["count"] > 2, screen
        self.faults += [f"{screen}: {fault}" for fault in found["faults"]]

    def sheet(self, name, control):
        """Opens a sheet, looks at it and closes it."""
        click(self.reader, control)
        self.reader.wait_for(SHEET)
        if name == "search":
            typed(self.reader, "fern")
        if name in ("search", "contents"):
            self.reader.wait_for(f"{SHEET}.querySelector('.entry')")
        self.look(name)
        self.reader.key("Escape")
        self.reader.wait_for(f"!{SHEET}")


@BOTH_IN_ALL
@mainly("light", "day", "night", "sepia")
def test_texts_and_controls_have_contrast_in_the_light_of(reader, books, light):  # noqa: F811
    """Item 7: 4.5:1 for text and 3:1 for controls, in all themes."""
    contrasts = Contrasts(reader)
    reader.before(stored(light=light))
    reader.open(books.url)
    reader.wait_for("document.getElementById('upload')?.hidden === false")
    assert reader.evaluate("document.documentElement.dataset.light ?? 'day'") == light
    contrasts.look("list")
    contrasts.sheet("join", "#join")
    with reader.settling("shelf"):
        reader.evaluate("void __lectern.actions.press('Enter')")
    while reader.evaluate("__lectern.caption.title") != PDF_TITLE:
        with reader.settling("shelf"):
            click(reader, "#foot .icon:last-child")
    contrasts.look("shelf")
    contrasts.sheet("edit", "#edit")
    with reader.settling("book"):
        reader.evaluate("void __lectern.actions.press('Enter')")
    reach(reader, "#bookbar [aria-label=Contents]")
    contrasts.look("book")
    for name, control in {
        "contents": "#bookbar [aria-label=Contents]", "search": "#bookbar [aria-label=Search]",
        "go": ".place", "reading view": "#bookbar [aria-label='Reading view']",
        "settings": "#bookbar [aria-label='Light and settings']", "share": "#share",
    }.items():
        contrasts.sheet(name, control)
    assert contrasts.faults == [], "\n".join(contrasts.faults)


def test_a_planted_fault_is_found(reader, books):  # noqa: F811
    reader.open(books.url)
    reader.wait_for(f"document.getElementById('join') && {REST}")
    reader.evaluate("void (document.getElementById('join').style.color = '#7a8692')")
    assert any("Join" in fault for fault in reader.evaluate(CONTRAST)["faults"])
