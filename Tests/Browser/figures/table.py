"""The output of measurements: a line of the table for each, and notes."""

import sys

from timing import percentile

MILLISECONDS = 1000


def row(figure, asked, measured):
    """Prints a line of the table."""
    print(f"| {figure} | {asked} | {measured} |", flush=True)


def note(text):
    """Prints a note about a measurement."""
    print(f"  {text}", file=sys.stderr, flush=True)


def ms(seconds):
    """Returns a time in milliseconds, as text."""
    return f"{MILLISECONDS * seconds:.1f} ms"


def said(values, asked=0.95):
    """Returns a distribution, as text."""
    return (
        f"{ms(percentile(values, asked))} (p50 {ms(percentile(values, 0.5))},"
        f" p99 {ms(percentile(values, 0.99))})"
    )
