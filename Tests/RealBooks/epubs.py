"""The texts of EPUBs, as their files have them, and the pages that a server made of them."""

import bisect
import html.entities
import itertools
import json
import posixpath
import re
import unicodedata
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
import zipfile

# How far from the places around it a word may be, and how many letters tell a place.
NEAR, GRAM = 400, 20
# Elements whose text is not on a page, and the readings beside words, which are not in their order.
UNSEEN = {"script", "style", "head", "title", "template", "rp", "rt", "annotation", "annotation-xml", "desc",
          "metadata"}


def name_of(element):
    """Returns the name of an element without its namespace."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def parsed(data):
    """Parses a text whose references to characters of HTML XML does not know; None if it is no XML."""
    def replaced(match):
        character = html.entities.html5.get(match[1] + ";")
        return character if character and match[1] not in {"amp", "lt", "gt", "quot", "apos"} else match[0]

    text = re.sub(r"<!DOCTYPE[^>\[]*(\[[^\]]*\])?[^>]*>", "", data.decode("utf-8-sig", "replace"))
    try:
        return ElementTree.fromstring(re.sub(r"&(\w+);", replaced, text))
    except ElementTree.ParseError:
        return None


def spine(path):
    """Returns the texts of an EPUB in its reading order, those outside of it last."""
    with zipfile.ZipFile(path) as archive:
        container = parsed(archive.read("META-INF/container.xml"))
        place = next(one.get("full-path") for one in container.iter() if name_of(one) == "rootfile")
        package = parsed(archive.read(place))
        files = {one.get("id"): one.get("href") for one in package.iter() if name_of(one) == "item"}
        items = [one for one in package.iter() if name_of(one) == "itemref"]
        items.sort(key=lambda one: one.get("linear") == "no")
        for item in items:
            address = urllib.parse.unquote(files.get(item.get("idref"), ""))
            name = posixpath.normpath(posixpath.join(posixpath.dirname(place), address))
            if name in archive.namelist():
                root = parsed(archive.read(name))
                if root is not None:
                    yield seen(root)


def seen(element):
    """Returns the text of an element that a reader sees."""
    if name_of(element) in UNSEEN or element.get("hidden") is not None:
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += [seen(child), child.tail or ""]
    return "".join(parts) if name_of(element) in {"span", "a", "b", "i", "em", "strong", "sub", "sup", "small"} else (
        " " + "".join(parts) + " ")


def letters(text):
    """Returns the letters and digits of a text, in the form by which readers search."""
    plain = unicodedata.normalize("NFKC", text)
    return "".join(one for one in plain if one.isalnum()).lower()


def pages(server, book):
    """Returns the texts of the pages of a book."""
    def ask(path):
        with urllib.request.urlopen(f"{server.url}api/books/{book}{path}", timeout=60) as answer:
            return json.load(answer)

    return [ask(f"/pages/{page}/text")["text"] for page in range(ask("")["pages"])]


def parts(words):
    """Yields the letters of each word; those of a script without spaces between words one by one."""
    for word in words:
        plain = letters(word)
        if any("\u3040" <= one <= "\u9fff" for one in plain):
            yield from plain
        elif plain:
            yield plain


def anchors(text, starts, found):
    """Returns the places of words whose next letters are once in both texts, ascending in both, as pairs."""
    def single(grams):
        places = {}
        for place, gram in grams:
            places[gram] = place if gram not in places else None
        return {gram: place for gram, place in places.items() if place is not None}

    there = single((at, found[at:at + GRAM]) for at in range(len(found) - GRAM))
    here = single((at, text[at:at + GRAM]) for at in starts)
    pairs = [(at, there[gram]) for gram, at in here.items() if gram in there]
    # The longest series that ascends in the second text as well.
    ends, last, before = [], [], {}
    for index, (_, place) in enumerate(pairs):
        rank = bisect.bisect_left(ends, place)
        ends[rank:rank + 1], last[rank:rank + 1] = [place], [index]
        before[index] = last[rank - 1] if rank else None
    chosen, index = [], last[-1] if last else None
    while index is not None:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def share_found(wanted, found):
    """Returns the share of words that are in a text in their order, and how many there are.

    A word counts if it is found between the nearest places around it at which both texts agree, or near them: pages
    also have heads and numbers, and the parts of a line may be out of order.
    """
    words = list(parts(wanted))
    text, starts = "".join(words), list(itertools.accumulate((len(word) for word in words[:-1]), initial=0))
    known = [(0, 0)] + anchors(text, starts, found) + [(len(text), len(found))]
    count, index = 0, 0
    for word, start in zip(words, starts):
        while known[index + 1][0] <= start and index + 2 < len(known):
            index += 1
        count += found.find(word, max(0, known[index][1] - NEAR), known[index + 1][1] + NEAR) >= 0
    total = len(words)
    return (count / total if total else 1.0), total
