"""Every screen and sheet in windows of many sizes.

No control is small, no text is cut and nothing overlaps; axe-core finds no violation of WCAG 2.2 A and AA, nor of its
best practices; and texts and controls have enough contrast. Each test walks through its screens once and resizes the
window on
each of them.
"""

import json

import pytest

from controls import open_title, reach, to_title
from fixtures import PDF_TITLE
from inspectors import contrast, layout, violations
from journeys import book, guest, host, playing, shelves
from lights import stored
from screens import FIRST, LONG_TITLE, WINDOWS, Screens, serving
from steps import BOTH, BOTH_IN_ALL, VARIANT

# The windows in which Firefox, and longer texts, are tested.
FEW = (FIRST, "embed", "small phone", "phone on its side")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The library with long names."""
    with serving(tmp_path_factory.mktemp("screens")) as server:
        yield server


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """The same with texts that are 40 % longer, and from right to left."""
    with serving(tmp_path_factory.mktemp("foreign"), is_changed=True) as server:
        yield server


# Faults, planted above a flat book in a window of 1366 x 768: the style and text of a button, and what is found.
PLANTED = {
    "a small button": ("left:20px;top:300px;width:30px;height:50px", "a", "can be hit on"),
    "a button behind another": ("left:20px;top:380px;width:50px;height:50px;z-index:-1", "b", "is covered by"),
    "a button beside the window": ("left:-90px;top:300px;width:50px;height:50px", "c", "is not in the window"),
    "a cut text": ("left:20px;top:460px;width:50px;height:50px;overflow:hidden", "interminable", "is cut"),
    "a text wider than its button": ("left:20px;top:540px;width:50px;height:50px", "interminable", "is wider than"),
    "an ellipsis": ("left:20px;top:620px;width:60px;height:50px;overflow:hidden;text-overflow:ellipsis",
                    "interminable", "ends with an ellipsis"),
    "small type": ("left:90px;top:300px;width:50px;height:50px;font-size:12px", "d", "has type of 12.0 px"),
    "two buttons in one place": ("left:10px;top:4px;width:60px;height:50px", "e", "overlap on"),
    "a button on a page": ("left:500px;top:300px;width:50px;height:50px", "f", "is on a page"),
}
PLANT = """(() => {
  const button = document.createElement('button')
  button.id = 'planted'
  button.style.cssText = 'position:absolute;z-index:20;white-space:nowrap;font-size:17px;' + %s
  button.textContent = %s
  document.body.append(button)
})()"""


def test_planted_faults_are_found(reader, library):
    screens = Screens(reader)
    open_title(reader, library.url, PDF_TITLE)
    with reader.settling("book"):
        reader.key("f")
    screens.resize(FIRST)
    screens.found("unchanged", FIRST)
    assert not screens.faults, "\n".join(screens.faults)
    for name, (style, words, said) in PLANTED.items():
        reader.evaluate(PLANT % (json.dumps(style), json.dumps(words)))
        screens.resize(FIRST)
        faults = layout(reader, FIRST)
        assert any("planted" in fault and said in fault for fault in faults), (name, faults)
        reader.evaluate("document.getElementById('planted').remove()")
    reader.evaluate("void document.body.append(document.createElement('button'))")
    assert any("button-name" in told for told in violations(reader, FIRST))
    reader.evaluate("void (document.querySelector('#bookbar .place').style.color = '#7a8692')")
    assert any("of 12" in told for told in contrast(reader, FIRST))


ALL = pytest.mark.parametrize("journey", [shelves, book, host, guest, playing], ids=lambda one: one.__name__)


@BOTH_IN_ALL
@ALL
def test_no_fault_is_found_with_longer_texts_from_right_to_left(reader, foreign, journey):
    screens = Screens(reader, FEW)
    journey(screens, foreign.url)
    assert not screens.faults, "\n".join(screens.faults)


@BOTH
@VARIANT
@ALL
def test_no_fault_is_found_in_any_window(reader, library, journey):
    screens = Screens(reader, WINDOWS if reader.name == "chromium" else FEW)
    journey(screens, library.url)
    assert not screens.faults, "\n".join(screens.faults)


@BOTH
@VARIANT
@ALL
@pytest.mark.parametrize("light", ["night", "sepia"])
def test_no_fault_is_found_in_the_light_of(reader, library, journey, light):
    reader.before(stored(light=light))
    screens = Screens(reader, (FIRST,))
    journey(screens, library.url)
    assert reader.evaluate("document.documentElement.dataset.light") == light
    assert not screens.faults, "\n".join(screens.faults)


@BOTH
@VARIANT
@ALL
def test_no_fault_is_found_in_german(reader, library, journey):
    reader.before(stored(language="de"))
    screens = Screens(reader, FEW)
    journey(screens, library.url)
    assert reader.evaluate("document.documentElement.lang") == "de"
    assert not screens.faults, "\n".join(screens.faults)


@BOTH_IN_ALL
def test_the_bar_mirrors_and_the_stage_does_not(reader, library, foreign):
    for url, begins in ((library.url, "left"), (foreign.url, "right")):
        to_title(reader, url, LONG_TITLE)
        reach(reader, "#back")
        edges = reader.evaluate(
            "['#back', '#upload'].map((one) => document.querySelector(one).getBoundingClientRect().left)"
        )
        assert (edges[0] < edges[1]) == (begins == "left")
        assert reader.evaluate("getComputedStyle(document.getElementById('stage')).direction") == "ltr"
        book = json.dumps(LONG_TITLE)
        assert reader.evaluate(f"__lectern.caption.title === {book}")
