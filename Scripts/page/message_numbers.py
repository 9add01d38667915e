"""Writes the numbers of messages from the table in Swift into the modules of the page.

Usage: python3 Scripts/page/message_numbers.py            rewrites the modules
       python3 Scripts/page/message_numbers.py --check    changes nothing; exits with 1 if a number differs

The table is Sources/Wire/MessageKinds.swift. Each module has the kinds that it needs, as the constants below name them.
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "Sources/Wire/MessageKinds.swift"
# The statement of a constant, to the line before the next statement or comment.
STATEMENT = r"(?ms)^{head}.*?(?=^\S)"


def kinds(text, name):
    """The names and numbers of an enumeration, in its order."""
    body = re.search(rf"enum {name}\b.*?\n}}", text, re.DOTALL).group()
    found = {}
    number = 0
    for line in re.findall(r"^  case (.+)$", body, re.MULTILINE):
        for case in line.split(","):
            label, _, value = (part.strip() for part in case.partition("="))
            number = int(value, 0) if value else number + 1
            found[label] = number
    return found


def actors(text):
    """The kinds of messages that carry the number of a role."""
    rows = re.search(r"var sender: Sender \{.*?\n  }", text, re.DOTALL).group()
    row = re.search(r"case ([^:]+): \.actor\b", rows).group(1)
    return re.findall(r"\.(\w+)", row)


def runs(numbers):
    """Splits names and numbers where the numbers are not consecutive."""
    found = []
    for name, number in numbers.items():
        if not found or number != found[-1][0] + len(found[-1][1]):
            found.append((number, []))
        found[-1][1].append(name)
    return found


def numbered(numbers):
    """An object of names and numbers."""
    calls = [f"numbered('{' '.join(names)}', {first:#04x})" for first, names in runs(numbers)]
    return calls[0] if len(calls) == 1 else "{ " + ", ".join("..." + call for call in calls) + " }"


def wrapped(statement):
    """A statement in lines of at most 120 characters; a string that is too long is continued."""
    lines = []
    for line in textwrap.wrap(statement, 116, break_long_words=False, break_on_hyphens=False):
        if lines and lines[-1].count("'") % 2:
            lines[-1] += " ' +"
            line = "  '" + line
        elif lines:
            line = "  " + line
        lines.append(line)
    return "\n".join(lines) + "\n"


def statements(text):
    """The statements of each module, by their beginning."""
    client = kinds(text, "ClientKind")
    start = dict(list(client.items())[:list(client).index("persona")])
    fit = client["fit"]
    together = {name: number for name, number in client.items() if name not in start and name != "fit"}
    acting = ", ".join(f"{client[name]:#04x}" for name in actors(text))
    return {
        "Web/js/wire.js": {
            "export const CLIENT = ": numbered(start),
            "export const SERVER = ": numbered(kinds(text, "ServerKind")),
            "const ACTING = ": f"new Set([{acting}])",
        },
        "Web/js/together/wire.js": {"const TYPE = ": numbered(together)},
        "Web/js/text/fit.js": {"const TYPE = ": f"{fit:#04x}"},
    }


def main(arguments):
    """Writes or checks all modules."""
    if arguments not in ([], ["--check"]):
        sys.exit(f"message_numbers: unknown arguments {arguments}; use --check or nothing")
    for path, constants in statements(TABLE.read_text()).items():
        old = new = (ROOT / path).read_text()
        for head, value in constants.items():
            pattern = STATEMENT.format(head=re.escape(head))
            if len(re.findall(pattern, new)) != 1:
                sys.exit(f"message_numbers: {path} does not have one statement '{head}...'")
            new = re.sub(pattern, lambda _: wrapped(head + value), new)
        if new == old:
            continue
        if arguments:
            sys.exit(f"message_numbers: {path} differs from {TABLE.relative_to(ROOT)}; "
                     "run python3 Scripts/page/message_numbers.py")
        (ROOT / path).write_text(new)
        print(f"message_numbers: {path} is rewritten")


if __name__ == "__main__":
    main(sys.argv[1:])
