"""Every screen and sheet, audited by axe-core: no violation of WCAG 2.2 A and AA, nor of its best practices."""

import importlib.resources

import pytest

from screens import CALM
from steps import BOTH_IN_ALL
from test_screens import book, guest, host, library, playing, shelves  # noqa: F401

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()
AGAIN = 3  # times that a screen with violations is audited again
# The violations in the page: each rule with the first nodes that break it. Behind a modal sheet the page is inert, so
# there its main part and its heading do not count.
AUDIT = """axe.run(document, { resultTypes: ['violations'], rules: Object.fromEntries(
  ['landmark-one-main', 'page-has-heading-one'].map((rule) =>
    [rule, { enabled: document.querySelector('dialog[open]') === null }])) })
  .then(({ violations }) => violations.map(({ id, nodes }) =>
    `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} (${failureSummary})`).join(', ')}`))"""


class Audit:
    """Audits the screens of one window, and keeps the violations."""

    def __init__(self, reader):
        self.reader = reader
        self.violations = []

    def look(self, screen, hold="null"):
        """Audits a screen; `hold` is an expression that keeps it as it is."""
        self.reader.evaluate(CALM)
        self.reader.evaluate(f"void ({hold})")
        self.found(screen)

    def found(self, screen, _window=None):
        """Audits what is shown; what is not yet complete is audited again."""
        if self.reader.evaluate("typeof axe === 'undefined'"):
            self.reader.evaluate(f"void (() => {{ {AXE} }})()")
        told = self.reader.evaluate(AUDIT)
        for _ in range(AGAIN):
            if told:
                self.reader.wait_for("new Promise((done) => requestAnimationFrame(() => done(true)))")
                told = self.reader.evaluate(AUDIT)
        self.violations += [f"{screen}: {one}" for one in told]


@BOTH_IN_ALL
@pytest.mark.parametrize("journey", [shelves, book, host, guest, playing], ids=lambda one: one.__name__)
def test_no_screen_violates_a_rule(reader, library, journey):  # noqa: F811
    audit = Audit(reader)
    journey(audit, library.url)
    assert not audit.violations, "\n".join(audit.violations)


def test_a_planted_violation_is_found(reader, library):  # noqa: F811
    audit = Audit(reader)
    reader.open(library.url)
    reader.evaluate("void document.body.append(document.createElement('button'))")
    audit.found("list")
    assert any("button-name" in told for told in audit.violations)
