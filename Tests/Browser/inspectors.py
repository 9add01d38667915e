"""What is looked for on each screen: faults of layout, violations of WCAG, and low contrast.

An inspector takes a window and the name of its size, and returns sentences about what it finds.
"""

import importlib.resources
import json
import pathlib

FOLDER = pathlib.Path(__file__).parent
FAULTS = (FOLDER / "screens.js").read_text()
CONTRAST = (FOLDER / "contrast.js").read_text()
AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()
# Factors by which controls and type are larger, by window.
SCALES = {"wall": 1.5}
# The violations in the page: each rule with the first nodes that break it. Behind a modal sheet the page is inert, so
# there its main part and its heading do not count.
AUDIT = """axe.run(document, { resultTypes: ['violations'], rules: Object.fromEntries(
  ['landmark-one-main', 'page-has-heading-one'].map((rule) =>
    [rule, { enabled: document.querySelector('dialog[open]') === null }])) })
  .then(({ violations }) => violations.map(({ id, nodes }) =>
    `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} (${failureSummary})`).join(', ')}`))"""


def layout(reader, name):
    """Finds small or covered controls, cut or small texts, overlaps, and controls on a flat book."""
    scale = json.dumps({"scale": SCALES.get(name, 1)})
    return [" ".join(fault.split()) for fault in reader.evaluate(f"({FAULTS})({scale})")]


def violations(reader, _name):
    """Finds violations of WCAG 2.2 A and AA and of axe-core's best practices."""
    if reader.evaluate("typeof axe === 'undefined'"):
        reader.evaluate(f"void (() => {{ {AXE} }})()")
    return reader.evaluate(AUDIT)


def contrast(reader, _name):
    """Finds texts with a contrast below 4.5:1, and controls below 3:1, in colours as the browser computes them."""
    return reader.evaluate(CONTRAST)
