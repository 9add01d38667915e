"""How the figures are told: a line of the table each, and beside it what limits them."""

import sys

from timing import percentile

MILLISECONDS = 1000


def row(figure, asked, measured):
    """Prints a line of the table."""
    print(f"| {figure} | {asked} | {measured} |", flush=True)


def note(text):
    """Prints what limits a figure."""
    print(f"  {text}", file=sys.stderr, flush=True)


def ms(seconds):
    """Milliseconds, for people."""
    return f"{MILLISECONDS * seconds:.1f} ms"


def said(values, asked=0.95):
    """A distribution in words."""
    return (
        f"{ms(percentile(values, asked))} (p50 {ms(percentile(values, 0.5))},"
        f" p99 {ms(percentile(values, 0.99))})"
    )
