"""The sheet of settings, and what each of them changes."""

import pytest

from controls import click, reach
from lights import choose, close_settings, open_settings, stored, switch
from steps import BOTH, BOTH_IN_ALL, LEFT, MOVING, RIGHT, in_book, mainly, to_shelf
from test_keyboard import forced, forced_firefox  # noqa: F401
from test_still import PICTURES, WATCH

CHECKED = "document.querySelector('dialog.settings [name=%s]:checked')?.value"
# Counts the sounds and the vibrations from now on.
COUNT = """
  window.__sounds = 0;
  window.__buzzes = 0;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...all) { window.__sounds += 1; return start.apply(this, all); };
  navigator.vibrate = () => { window.__buzzes += 1; return true; };
"""
# The controls and lines of text that are outside the window, and texts that are wider than their control.
CUT = """[...document.querySelectorAll('#top *, #bookbar *, #label *, #foot *, dialog *')]
  .filter(one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(one => !one.closest('.unseen, .tip, .turn, svg, #finder, .entries'))
  .map(one => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.left < -.5 || box.right > innerWidth + .5))
  .map(([one, box]) => [one.id || one.className || one.tagName, one.textContent, box.left, box.right])"""


@BOTH
def test_every_setting_is_reached_and_changed_with_the_keyboard(reader, open_books):
    in_book(reader, open_books)
    reach(reader, "#bookbar .folded+.icon")
    reader.evaluate("document.querySelector('#bookbar .folded+.icon').focus()")
    reader.key("Enter")
    reader.wait_for("document.querySelector('.folded:popover-open')")
    # In the menu, after the reading view, the selection and printing.
    for _ in range(4):
        reader.key("Tab")
    reader.wait_for("document.activeElement.getAttribute('aria-label') === 'Light and settings'")
    reader.key("Enter")
    reader.wait_for("document.activeElement?.name === 'light' && document.activeElement.value === 'day'")
    reader.key("ArrowRight")
    reader.wait_for("document.documentElement.dataset.light === 'night'")
    reader.key("Tab")
    reader.wait_for("document.activeElement.name === 'motion'")
    reader.key("ArrowDown")
    reader.wait_for(f"{CHECKED % 'motion'} === 'full'")
    reader.key("Tab")
    reader.key("ArrowRight")
    reader.wait_for("document.documentElement.style.fontSize === '125%'")
    reader.key("Tab")
    reader.key(" ")
    reader.wait_for("document.activeElement.name === 'sound' && document.activeElement.checked")
    reader.wait_for(
        "localStorage.getItem('lectern-settings')"
        " === '{\"light\":\"night\",\"motion\":\"full\",\"text\":\"125\",\"sound\":\"on\"}'"
    )
    close_settings(reader)
    reader.wait_for("document.activeElement.getAttribute('aria-label') === 'More'")
    reader.open(reader.evaluate("location.href"))
    open_settings(reader)
    shown = reader.evaluate(f"[{', '.join(CHECKED % name for name in ('light', 'motion', 'text', 'sound'))}]")
    assert shown == ["night", "full", "125", "on"]


@BOTH_IN_ALL
def test_the_sheet_names_its_controls_and_they_are_large(reader, server):
    to_shelf(reader, server.url)
    open_settings(reader)
    controls = reader.evaluate(
        "[...document.querySelectorAll('dialog.settings input')].map(one => [one.name, one.getAttribute('role'),"
        " one.labels.length, one.labels[0].textContent.trim(),"
        " one.closest('fieldset')?.querySelector('legend').textContent,"
        " one.labels[0].getBoundingClientRect().width, one.labels[0].getBoundingClientRect().height])"
    )
    assert len(controls) >= 11
    for name, role, labels, words, legend, width, height in controls:
        assert labels == 1 and words != ""
        assert width >= 43.5 and height >= 43.5, (name, words, width, height)
        assert (role == "switch") == (legend is None) == (name in ("sound", "vibration"))
    can_vibrate = reader.evaluate("'vibrate' in navigator")
    assert any(control[0] == "vibration" for control in controls) == can_vibrate


@BOTH_IN_ALL
def test_whatever_is_stored_the_page_opens(reader, open_books):
    reader.before(
        "if (location.host) localStorage.setItem('lectern-settings',"
        " '{\"light\":{\"a\":1},\"motion\":\"<b>\",\"text\":\"9999\",\"sound\":[\"on\"],'"
        " + '\"__proto__\":{\"light\":\"night\"}}')"
    )
    in_book(reader, open_books)
    look = "(({ style, dataset }) => [style.fontSize, dataset.light ?? ''])(document.documentElement)"
    assert reader.evaluate(look) == ["", ""]
    assert reader.evaluate("__lectern.session.settings") == {}


@MOVING
def test_reduced_motion_can_be_chosen_and_taken_back(chromium, open_books):
    reader = chromium.reader()
    try:
        in_book(reader, open_books)
        open_settings(reader)
        choose(reader, "motion", "reduced")
        reader.wait_for("document.documentElement.dataset.motion === 'reduced'")
        close_settings(reader)
        reader.evaluate(WATCH)
        with reader.settling("book"):
            reader.key("ArrowRight")
        assert reader.evaluate(PICTURES) == 2
        open_settings(reader)
        choose(reader, "motion", "full")
        close_settings(reader)
        with reader.settling("book"):
            reader.key("ArrowRight")
        assert reader.evaluate(PICTURES) > 5
        assert reader.errors == []
    finally:
        reader.close()


@pytest.mark.parametrize("motion, is_moving", [("full", True), ("system", False)])
def test_full_motion_can_be_chosen_where_the_system_reduces_it(chromium, open_books, motion, is_moving):
    reader = chromium.reader(moves=False)
    try:
        reader.before(stored(motion=motion))
        in_book(reader, open_books)
        reader.evaluate(WATCH)
        with reader.settling("book"):
            reader.key("ArrowRight")
        assert (reader.evaluate(PICTURES) > 5) == is_moving
    finally:
        reader.close()


def enter(reader, screen):
    """Goes a step further in, wherever the focus is."""
    with reader.settling(screen):
        reader.evaluate("void __lectern.app.press('Enter')")


@BOTH_IN_ALL
@mainly("size", (360, 740), ((1024, 768),))
def test_the_lettering_grows_and_stays_within_the_window(browser, server, out, size):
    reader = browser.reader(*size)
    try:
        reader.before(stored(text="150"))
        reader.open(server.url)
        reader.wait_for("document.getElementById('upload')?.hidden === false && document.getElementById('join')")
        assert reader.evaluate(CUT) == []
        reader.evaluate("void (document.getElementById('recordings').hidden = false)")
        assert reader.evaluate(CUT) == []
        enter(reader, "shelf")
        reader.wait_for("document.getElementById('settings')")
        assert reader.evaluate("parseFloat(getComputedStyle(document.querySelector('#open .title')).fontSize)") > 44
        assert reader.evaluate(CUT) == []
        reader.screenshot(out / f"large-shelf-{reader.name}-{size[0]}.png")
        open_settings(reader)
        assert reader.evaluate(CUT) == []
        reader.screenshot(out / f"large-sheet-{reader.name}-{size[0]}.png")
        close_settings(reader)
        enter(reader, "book")
        reach(reader, "#bookbar [aria-label=Contents]")
        assert reader.evaluate("parseFloat(getComputedStyle(document.querySelector('.place')).fontSize)") == 25.5
        assert reader.evaluate(CUT) == []
        reader.screenshot(out / f"large-book-{reader.name}-{size[0]}.png")
        assert reader.errors == []
    finally:
        reader.close()


def turn(reader):
    """Turns a leaf with the keyboard."""
    with reader.settling("book"):
        reader.key("ArrowRight")
    reader.wait_for("__lectern.isReady")


@MOVING
@BOTH_IN_ALL
def test_paper_is_heard_and_felt_only_if_the_reader_wants_it(reader, open_books):
    reader.before(COUNT)
    in_book(reader, open_books)
    turn(reader)
    assert reader.evaluate("[__sounds, __buzzes]") == [0, 0]
    open_settings(reader)
    switch(reader, "sound")
    reader.wait_for("__sounds === 1")
    close_settings(reader)
    turn(reader)
    reader.wait_for("__sounds === 2")
    assert reader.evaluate("__buzzes") == 0
    open_settings(reader)
    switch(reader, "sound")
    switch(reader, "vibration")
    reader.wait_for("__buzzes === 1")
    close_settings(reader)
    # The leaf passes the middle under the finger, and lands.
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT, touch=True)
    reader.wait_for("__lectern.isReady && __buzzes === 3")
    assert reader.evaluate("__sounds") == 2


def test_a_leaf_that_is_cut_to_its_place_is_silent(chromium, open_books):
    reader = chromium.reader()
    try:
        reader.before(COUNT + stored(sound="on", motion="reduced"))
        in_book(reader, open_books)
        turn(reader)
        turn(reader)
        assert reader.evaluate("__sounds") == 0
    finally:
        reader.close()


# The visible controls that could not be seen: their colour is that of what is below them.
UNSEEN = """[...document.querySelectorAll('button, a, input, select, [role=slider]')]
  .filter(one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(one => !one.closest('.unseen, .hot, .lamps') && !one.matches('.turn'))
  .filter(one => {
    let ground = one
    const style = one => getComputedStyle(one)
    while (ground && style(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement
    return style(one).color === style(ground ?? document.documentElement).backgroundColor
  }).map(one => one.id || one.ariaLabel || one.textContent)"""


def test_in_forced_colours_the_controls_and_their_states_can_be_seen(forced, server, out):  # noqa: F811
    forced.before(stored(light="night"))
    to_shelf(forced, server.url)
    forced.wait_for("document.getElementById('settings')")
    assert forced.evaluate("matchMedia('(forced-colors: active)').matches")
    assert forced.evaluate(UNSEEN) == []
    forced.screenshot(out / f"forced-shelf-{forced.name}.png")
    open_settings(forced)
    assert forced.evaluate(UNSEEN) == []
    outline = "getComputedStyle(document.querySelector('.lamps %s + i')).outlineStyle"
    assert forced.evaluate(outline % ":checked") == "solid"
    assert forced.evaluate(outline % ":not(:checked)") == "none"
    assert forced.evaluate("getComputedStyle(document.querySelector('[name=sound]')).appearance") == "auto"
    forced.screenshot(out / f"forced-sheet-{forced.name}.png")
    forced.key("Tab")
    forced.wait_for(
        "(one => one.matches(':focus-visible') && [one, one.parentNode].some(node =>"
        " getComputedStyle(node).outlineStyle !== 'none' && parseFloat(getComputedStyle(node).outlineWidth) >= 2))"
        "(document.activeElement)"
    )
    close_settings(forced)
    enter(forced, "book")
    click(forced, "#bookbar [aria-label=Contents]")
    forced.wait_for("document.querySelector('dialog[open]')")
    forced.key("Escape")
    forced.wait_for("!document.querySelector('dialog')")
    assert forced.evaluate(UNSEEN) == []
    # The read part of the fore-edge, the rest of it and the ribbon are three.
    looks = forced.evaluate(
        "(one => [getComputedStyle(one.querySelector('.ribbon')).fill,"
        " getComputedStyle(one.querySelector('path')).stroke])"
        "(document.querySelector('.fore'))"
    )
    assert looks[0] != looks[1]
    forced.screenshot(out / f"forced-book-{forced.name}.png")
