"""The names of all tests, read from the sources, so that nothing has to be built or started to find one."""

import dataclasses
import pathlib
import re

TEXT = r'"(?:[^"\\\n]|\\.)*"'
SWIFT = re.compile(
    rf"@Suite\b(?:\(\s*(?P<suite>{TEXT}))?"
    rf"|@Test\b(?:\(\s*(?P<title>{TEXT}))?"
    r"|^(?P<type_indent> *)(?:(?:public|private|fileprivate|final|indirect|nonisolated|@\w+) )*"
    r"(?:struct|class|enum|actor|extension) (?P<type>[\w.]+)"
    r"|^(?P<indent> *)(?:(?:static|private|nonisolated|mutating|@\w+) )*func (?P<function>`[^`]+`|\w+)",
    re.MULTILINE,
)
NODE = re.compile(r"(?<![\w.])test\(\s*(?P<title>'(?:[^'\\\n]|\\.)*'|`[^`]*`|\"[^\"\n]*\")")
INSERTED = re.compile(r"\$\{[^}]*\}")
PYTHON = re.compile(r"^def (?P<function>test_\w+)", re.MULTILINE)
PARAMETERS = re.compile(r"\[[^\[\]]*\]$")


@dataclasses.dataclass(frozen=True)
class Test:
    """A test, by the name that its runner knows it by."""

    name: str
    path: str
    title: str = ""

    def __str__(self):
        return f"{self.name}  {self.title}" if self.title else self.name

    def matches(self, words):
        """Returns whether one of the words is part of the name, the path or the title.

        A name of node with parts that are inserted also matches a word that contains it with these parts.
        """
        text = f"{self.path}\n{self}".lower()
        return any(word.lower() in text or ("*" in text and self._is_in(word)) for word in words)

    def _is_in(self, word):
        name = self.name.partition(": ")[2]
        return re.search(re.escape(name).replace(r"\*", ".+"), word) is not None


def swift_tests(module):
    """Returns the tests of a Swift module, named like `RoomsTests.RoomTests/joins`."""
    for path in sorted(pathlib.Path("Tests", module).rglob("*.swift")):
        types, suite, title = [], "", None
        for match in SWIFT.finditer(path.read_text()):
            if match["type"]:
                # A type contains what is indented further, because all sources are formatted.
                indent = len(match["type_indent"])
                types = [one for one in types if one[0] < indent]
                types.append((indent, match["type"].replace(".", "/"), suite))
                suite = ""
            elif match["function"]:
                if title is not None:
                    around = [one for one in types if one[0] < len(match["indent"])]
                    name = "/".join([one[1] for one in around] + [match["function"].strip("`")])
                    titles = [one[2] for one in around] + [title]
                    yield Test(f"{module}.{name}", str(path), ": ".join(filter(None, titles)))
                title = None
            elif match[0].startswith("@Test"):
                title = _unquoted(match["title"])
            else:
                suite = _unquoted(match["suite"])


def node_tests(path):
    """Returns the tests of a file for node, named by the file and the test's name.

    A part of a name that is inserted when the test runs is `*`.
    """
    for match in NODE.finditer(pathlib.Path(path).read_text()):
        yield Test(f"{path}: {INSERTED.sub('*', _unquoted(match['title']))}", str(path))


def python_tests(path):
    """Returns the tests of a file for pytest, named by their node IDs without parameters."""
    for match in PYTHON.finditer(pathlib.Path(path).read_text()):
        yield Test(f"{path}::{match['function']}", str(path))


def python_matches(tests, words):
    """Returns the tests that match one of the words, with the parameters that a word ends in."""
    found = {}
    for word in words:
        parameters = PARAMETERS.search(word)
        for test in tests:
            if test.matches([PARAMETERS.sub("", word)]):
                name = test.name + (parameters[0] if parameters else "")
                found[name] = dataclasses.replace(test, name=name)
    return list(found.values())


def _unquoted(text):
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text else ""
