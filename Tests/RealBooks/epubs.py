"""The texts of EPUBs, as their files have them, and the pages that a server made of them."""

import html.entities
import json
import posixpath
import re
import unicodedata
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
import zipfile

# How far from the expected place a word may be, and how far ahead of it, in letters.
NEAR, FAR = 400, 2000
# After how many missing words the place is sought again, by how many letters.
LOST, SURE = 8, 30
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


def share_found(wanted, found):
    """Returns the share of words that are in a text in their order, and how many there are.

    A word counts if it is found near the place where the word before it ends: pages also have heads and numbers, and
    the parts of a line may be out of order. The place moves on by the letters of the words that are missing. After
    many of them, the next words tell the place again, if they follow one another further on.
    """
    words = list(parts(wanted))
    place, count, missing = 0, 0, 0
    for index, plain in enumerate(words):
        at = found.find(plain, max(0, place - NEAR), place + FAR)
        if at < 0 and missing >= LOST and missing % LOST == 0:
            phrase = "".join(words[index:index + SURE])[:SURE]
            at = found.find(phrase, max(0, place - NEAR * missing))
            place = at if at >= 0 else place
        if at >= 0:
            count, missing = count + 1, 0
            place = max(place, at + len(plain)) if at < place + NEAR else place + len(plain)
        else:
            place, missing = place + len(plain), missing + 1
    total = len(words)
    return (count / total if total else 1.0), total
