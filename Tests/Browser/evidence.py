"""What is saved of each open window when a test fails."""

import contextlib
import json
import os
import pathlib
import re

from reader import Reader

FOLDER = pathlib.Path(os.environ.get("LECTERN_EVIDENCE", pathlib.Path(__file__).parent / "out" / "evidence"))
LONGEST_NAME = 120

# The state of the page, or of each screen of the demo: what it shows, the open dialogs and the latest messages.
STATE = """await (async () => {
  const wire = await import(`${window.__lectern?.root ?? '/'}js/wire.js`).catch(() => null)
  const said = (way, time, data) => {
    if (!(data instanceof ArrayBuffer)) return [way, time, data instanceof Uint8Array ? [...data].join(' ') : data]
    try {
      const { type, ...fields } = wire.decode(data)
      return [way, time, type, JSON.stringify(fields, (_, one) =>
        one instanceof DataView ? undefined : ArrayBuffer.isView(one) ? [...one] : one)
        .slice(0, 300)]
    } catch (error) {
      return [way, time, String(error)]
    }
  }
  const state = (name, { document, __lectern: page, __messages: messages = [] }) => ({
    name, address: document.location.href, state: document.documentElement.dataset.state,
    isShown: document.visibilityState, hasFocus: document.hasFocus(),
    focus: document.activeElement?.outerHTML.slice(0, 200), classes: document.body.className,
    dialogs: [...document.querySelectorAll('dialog')].map(one => one.innerText),
    notices: ['notice', 'live', 'strip', 'state'].map(id => [id, document.getElementById(id)?.innerText]),
    controls: [...document.querySelectorAll('.bar button')].map(one =>
      [one.ariaLabel ?? one.textContent, one.checkVisibility({ visibilityProperty: true })]),
    ...page && {
      screen: page.screen, frame: page.frame, settled: page.settled, room: page.roomCode,
      role: page.session.role, people: [...page.session.people.values()], caption: page.caption,
      rests: page.session.isSettled, missing: page.missing,
    },
    messages: messages.map(one => said(...one)),
  })
  const screens = document.getElementById('screens') ? Array.from(frames) : [window]
  return screens.map(frame => state(frame.name || 'the page', frame))
})()"""

_test = "none"
_saved = []


def begin(test):
    """Notes which test runs from now on."""
    global _test
    _test = re.sub(r"[^\w.-]+", "-", test)[-LONGEST_NAME:]
    _saved.clear()


def saved():
    """Returns the files that have been saved for this test."""
    return list(_saved)


def save(reader):
    """Writes a screenshot and the state of a window. A window that does not answer is left out."""
    folder = FOLDER / _test
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{len(_saved) // 2 + 1}-{reader.name}"
    with contextlib.suppress(Exception):
        reader.screenshot(path.with_suffix(".png"))
        _saved.append(path.with_suffix(".png"))
    with contextlib.suppress(Exception):
        state = {"pages": reader.evaluate(STATE), "errors": reader.errors}
        path.with_suffix(".json").write_text(json.dumps(state, indent=1, ensure_ascii=False))
        _saved.append(path.with_suffix(".json"))


Reader.save_evidence = staticmethod(save)


def save_all():
    """Saves all windows that are open."""
    for reader in Reader.all_open:
        save(reader)
