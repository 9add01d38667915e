"""The checklist of accessibility: for each item, the tests that prove it.

In Chromium each item is proven in each run, and in Firefox at least in a run with all variants.
"""

import pathlib
import re
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
PAGE = FOLDER.parent / "Page"

ITEMS = {
    "every action by keyboard, no trap": [
        "test_controls.py::test_every_control_of_the_shelves_is_used_by",
        "test_controls.py::test_every_control_of_an_open_book_is_used_by",
        "test_controls.py::test_every_control_of_a_zoomed_book_is_used_by",
        "test_controls.py::test_the_tab_key_leads_to_every_control_and_the_focus_is_seen",
        "test_controls.py::test_the_tab_key_leads_through_every_sheet_and_escape_out_of_it",
        "test_keyboard.py::test_keys_lead_from_the_list_into_a_book_and_back_with_a_visible_focus",
        "test_keyboard.py::test_the_focus_is_never_lost",
        "test_settings.py::test_every_setting_is_reached_and_changed_with_the_keyboard",
    ],
    "focus visible and never under a bar": [
        "test_controls.py::test_the_tab_key_leads_to_every_control_and_the_focus_is_seen",
        "test_controls.py::test_the_tab_key_leads_through_every_sheet_and_escape_out_of_it",
    ],
    "targets of at least 44 px": [
        "test_screens.py::test_no_fault_is_found_with_longer_texts_from_right_to_left",
        "test_screens.py::test_no_fault_is_found_in_any_window",
        "test_keyboard.py::test_every_control_is_large_enough_for_a_finger_and_has_a_name",
    ],
    "every drag has a one-tap way": [
        "test_controls.py::test_a_tap_on_the_outer_third_does_what_a_drag_does",
        "test_controls.py::test_a_tap_on_the_fore_edge_and_an_arrow_key_on_it_move_the_ribbon",
        "test_controls.py::test_every_control_of_the_shelves_is_used_by",
        "test_controls.py::test_every_control_of_a_zoomed_book_is_used_by",
    ],
    "every pinch has buttons": [
        "test_controls.py::test_every_control_of_the_shelves_is_used_by",
        "test_controls.py::test_every_control_of_an_open_book_is_used_by",
        "test_flat.py::test_the_key_and_the_control_change_the_pose",
        "test_flat.py::test_keys_and_controls_zoom",
    ],
    "a turn can be cancelled before release": [
        "test_reading.py::test_what_is_released_early_falls_back",
    ],
    "contrast 4.5:1 for text, 3:1 for controls, in all themes": [
        "test_screens.py::test_no_fault_is_found_with_longer_texts_from_right_to_left",
        "test_screens.py::test_no_fault_is_found_in_the_light_of",
        "contrast.test.mjs::buttons and strips of the",
    ],
    '"Pages 4–5 of 32" announced once, at rest': [
        "test_keyboard.py::test_only_the_open_spread_is_exposed_and_its_place_announced_once_at_rest",
        "test_reader.py::test_a_phone_announces_each_page_once",
    ],
    "a page's text in the accessibility tree equals the API's, spaces included": [
        "test_text.py::test_the_accessibility_tree_has_the_words_with_their_spaces_and_lines",
        "test_spoken.py::test_firefoxs_accessibility_tree_has_the_words_with_their_spaces_and_lines",
    ],
    "hidden faces inert, no text twice during a turn": [
        "test_keyboard.py::test_only_the_open_spread_is_exposed_and_its_place_announced_once_at_rest",
        "test_text.py::test_a_turning_page_has_no_words_and_a_resting_one_has_them_once",
    ],
    "the slider is role=slider with aria-valuetext": [
        "test_reader.py::test_the_fore_edge_is_a_slider_that_names_the_place",
        "test_controls.py::test_a_tap_on_the_fore_edge_and_an_arrow_key_on_it_move_the_ribbon",
    ],
    "reduced motion: no intermediate transform, same final page, in sync": [
        "test_unmoving.py::test_a_turn_has_no_picture_between_its_first_and_its_last",
    ],
    "@media (update: slow) the same": [
        "test_unmoving.py::test_a_turn_has_no_picture_between_its_first_and_its_last",
        "test_unmoving.py::test_the_style_sheets_treat_slow_screens_like_reduced_motion",
    ],
    "reading view reflows at 320 px and survives the text spacing of WCAG 1.4.12": [
        "test_reader.py::test_the_reading_view_fits_a_narrow_window_with_large_and_spaced_letters",
        "test_reader.py::test_the_reading_view_survives_wide_spacing_in_a_narrow_window",
    ],
    "a choice of fonts there, OpenDyslexic included": [
        "test_reader.py::test_the_reading_view_has_a_choice_of_fonts_each_loaded_when_it_is_chosen",
    ],
    "lang per book; right-to-left pages and interface": [
        "test_text.py::test_a_book_names_its_language_at_its_words",
        "test_spreads.py::test_a_book_from_right_to_left_opens_and_turns_the_other_way",
        "test_screens.py::test_the_bar_mirrors_and_the_stage_does_not",
    ],
    "lost line, hand-over, offers by role=status": [
        "test_spoken.py::test_a_lost_line_is_said_as_a_status",
        "test_spoken.py::test_an_offer_and_a_question_for_the_book_are_said_as_a_status",
    ],
    "auto-hiding bars never hide the focus; autoplay pauses": [
        "test_controls.py::test_bars_that_hide_by_themselves_stay_while_they_have_the_focus",
        "test_playing.py::test_a_recording_is_paused_by_the_keyboard_while_its_strip_stays",
    ],
    "usable in forced colours": [
        "test_keyboard.py::test_in_forced_colours_sheets_are_opaque_and_the_focus_is_visible",
        "test_settings.py::test_in_forced_colours_the_controls_and_their_states_can_be_seen",
    ],
    "all strings in tables; texts that are 40 % longer are not cut": [
        "test_screens.py::test_no_fault_is_found_with_longer_texts_from_right_to_left",
        "words.test.mjs::all texts for the reader are in the tables of texts",
    ],
}


@pytest.fixture(scope="module")
def collected():
    """The browsers of each test that pytest finds, by the test's name."""
    files = sorted({test.split("::")[0] for tests in ITEMS.values() for test in tests if ".py::" in test})
    found = {}
    for part, *more in (("chromium",), ("firefox", "--all-variants")):
        told = subprocess.run(
            [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", f"--part={part}",
             *more, *(FOLDER / file for file in files)],
            capture_output=True, text=True, cwd=FOLDER.parents[1],
        ).stdout
        for file, test, parameters in re.findall(r"^Tests/Browser/(\S+)::(\w+)(\[.*\])?$", told, re.MULTILINE):
            # A test without a browser among its parameters uses both at once.
            is_both = part == "firefox" and "firefox" not in parameters
            found.setdefault(f"{file}::{test}", set()).update({"chromium", "firefox"} if is_both else {part})
    return found


def test_the_checklist_has_twenty_items():
    assert len(ITEMS) == 20


@pytest.mark.parametrize("item", ITEMS)
def test_it_is_proven_in_both_browsers(collected, item):
    browsers = set()
    for test in ITEMS[item]:
        file, name = test.split("::")
        if file.endswith(".mjs"):
            assert name in (PAGE / file).read_text(), test
            continue
        assert test in collected, f"there is no {test}"
        browsers |= collected[test]
    assert browsers == {"chromium", "firefox"}
