"""What several tests use of the settings: how they are stored, and how they are chosen on their sheet."""

import json

from controls import click

# The lights, and the colours of their tables.
TABLES = {"day": "#4f5b66", "night": "#1c2126", "sepia": "#5d5348"}
# Waits for the end of the next animation frame.
FRAME = "await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(() => next(true))))"


def stored(**settings):
    """Returns a statement that stores settings, to run before the page's own scripts."""
    text = json.dumps(json.dumps(settings))
    return f"if (location.host) localStorage.setItem('lectern-settings', {text});"


def open_settings(reader):
    """Opens the sheet of settings from the foot of a book, or from the bar of a shelf."""
    is_book = reader.evaluate("__lectern.screen === 'book'")
    click(reader, "#bookbar [aria-label='Light and settings']" if is_book else "#settings")
    reader.wait_for("document.querySelector('dialog.settings[open]')?.getAnimations().length === 0")


def choose(reader, name, value):
    """Chooses a value on the sheet."""
    click(reader, f"dialog.settings label:has([name={name}][value='{value}'])")
    if name == "motion":
        # The page tells the server of it in an animation frame, which on a busy machine may be later than other input.
        reader.wait_for(FRAME)


def switch(reader, name):
    """Uses a switch on the sheet."""
    click(reader, f"dialog.settings label:has([name={name}])")


def close_settings(reader):
    """Closes the sheet."""
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
