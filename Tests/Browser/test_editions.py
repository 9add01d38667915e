"""A novel in two sizes of type, each of which opens at the text of the other."""

import time

import pytest

from bookserver import listed, serving
from controls import caption, open_title, text_of
from fixtures import novel
from lights import choose, open_settings
from steps import BOTH

TITLE, LARGE = "The Long Shore", "The Long Shore (large print)"
CHAPTERS, PARAGRAPHS = 6, 24
SIZES = "document.querySelector('dialog.settings [name=typeSize]:checked')?.value"
PAGE = 9
INDEX_SECONDS = 30


def paragraph(chapter, number):
    """Returns a paragraph that contains words no other paragraph contains."""
    mark = f"{chapter}x{number}"
    return (f"<p>Tide{mark} reached the old pier at Ness{mark} before breakfast. Mrs. Hale{mark} stood on the shore "
            f"and counted two boats, both of them empty. The lamp above the harbour office in Skerry{mark} was still "
            f"lit, because the keeper had overslept again, and the gulls of Wick{mark} walked along the middle of the "
            "road without looking at anybody.</p>")


def chapter(number):
    """Returns the elements of a chapter."""
    return f"<h1>Chapter {number + 1}</h1>" + "".join(paragraph(number, one) for one in range(PARAGRAPHS))


@pytest.fixture
def shore(tmp_path):
    """A server with the novel."""
    shelf = tmp_path / "library" / "Novels"
    shelf.mkdir(parents=True)
    novel(shelf / "shore.epub", TITLE, map(chapter, range(CHAPTERS)))
    with serving(tmp_path, 1) as server:
        until = time.monotonic() + INDEX_SECONDS
        # A page that is shown before its text is known has none.
        while any(book["searchable"] < book["pages"] for book in listed(server)):
            assert time.monotonic() < until, server.output
            time.sleep(0.1)
        yield server


def tides(reader):
    """Returns the first words of the paragraphs on the open pages, in order."""
    reader.wait_for("document.querySelectorAll('[data-kind=page] .over .text').length >= 2")
    return reader.evaluate(
        "[...document.querySelectorAll('[data-kind=page] .over .text')].flatMap(one =>"
        " one.textContent.match(/Tide\\d+x\\d+/g) ?? [])")


@BOTH
def test_a_novel_is_read_in_large_print_from_the_same_text_and_back(reader, shore):
    open_title(reader, shore.url, TITLE, PAGE)
    before = tides(reader)
    open_settings(reader)
    reader.wait_for(f"{SIZES} === 'standard'")
    choose(reader, "typeSize", "large")
    reader.wait_for(f"__lectern.caption.title === '{LARGE}' && __lectern.screen === 'book'")
    reader.wait_for("!document.querySelector('dialog')")
    reader.look()
    after = tides(reader)
    assert set(after) & set(before), (before, after)
    large = caption(reader)

    # The edition is there now, and leads back to the page from which the reader came.
    open_settings(reader)
    reader.wait_for(f"{SIZES} === 'large'")
    choose(reader, "typeSize", "standard")
    reader.wait_for(f"__lectern.caption.title === '{TITLE}' && __lectern.screen === 'book'")
    reader.look()
    assert caption(reader)["page"] in (PAGE - 1, PAGE), (caption(reader), large)
    assert tides(reader) == before
    assert text_of(reader, "#heading") == TITLE
