"""Draws the icons of the installed page, from the same shapes as favicon.svg, to Web/icons.

Usage: Scripts/python Scripts/samples/icons.py
"""

import pathlib

from PIL import Image, ImageDraw, ImageFilter

OUT = pathlib.Path(__file__).resolve().parents[2] / "Web" / "icons"
FINE = 4  # pixels drawn for each pixel of an icon
COLOURS = 96
STEPS = 24  # opacities of the edge of round corners
TABLE, CREAM, RIBBON, DEEP = "#4f5b66", "#f4efe4", "#b5352a", "#1a2026"
SIDE = 32  # of the square in which the shapes are given
# The two pages, which rise from the spine, and the ribbon on the right one.
LEFT = [(16, 26), (5, 19), (5, 6), (16, 13)]
RIGHT = [(16, 26), (27, 19), (27, 6), (16, 13)]
TAIL = [(20, 10.4), (20, 20.6), (22.3, 19.1), (24.6, 20.4), (24.6, 7.5)]


def mixed(one, other, share):
    """Returns a colour between two others."""
    return tuple(
        round(a + (b - a) * share)
        for a, b in zip(*(Image.new("RGB", (1, 1), c).getpixel((0, 0)) for c in (one, other)), strict=True)
    )


def drawn(size, scale=1.0, corner=0.0):
    """Returns an icon: its size in px, the size of the book, and the round corners as a share of the side."""
    wide = size * FINE
    unit = wide / SIDE * scale
    shift = (wide - SIDE * unit) / 2

    def at(points):
        return [(shift + x * unit, shift + y * unit) for x, y in points]

    icon = Image.new("RGB", (wide, wide), TABLE)
    # The lamp stands at the upper left, so the shadow falls to the lower right.
    shade = Image.new("L", (wide, wide), 0)
    ImageDraw.Draw(shade).polygon(at([(x + 1, y + 1.4) for x, y in [*LEFT, *RIGHT[1:]]]), fill=110)
    icon.paste(Image.new("RGB", icon.size, DEEP), mask=shade.filter(ImageFilter.GaussianBlur(0.9 * unit)))
    draw = ImageDraw.Draw(icon)
    draw.polygon(at(LEFT), fill=CREAM)
    draw.polygon(at(RIGHT), fill=mixed(TABLE, CREAM, 0.76))
    draw.polygon(at(TAIL), fill=RIBBON)
    icon = icon.resize((size, size), Image.Resampling.LANCZOS)
    icon = icon.quantize(COLOURS, dither=Image.Dither.NONE)
    if not corner:
        return icon
    mask = Image.new("L", (wide, wide), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, wide - 1, wide - 1), corner * wide, fill=255)
    mask = mask.resize((size, size), Image.Resampling.LANCZOS)
    # The corners have the colour of the table in some opacities, which follow the other colours of the palette.
    steps = mask.point(lambda alpha: COLOURS + round(alpha / 255 * STEPS))
    icon.paste(steps, mask=mask.point(lambda alpha: 255 * (alpha < 255)))
    palette = icon.getpalette()[: 3 * COLOURS]
    icon.putpalette(palette + [*mixed(TABLE, TABLE, 0)] * (STEPS + 1))
    icon.info["transparency"] = bytes([255] * COLOURS + [round(255 * n / STEPS) for n in range(STEPS + 1)])
    return icon


def main():
    """Writes the icons."""
    OUT.mkdir(exist_ok=True)
    for name, icon in {
        "icon-192": drawn(192, corner=6 / SIDE),
        "icon-512": drawn(512, corner=6 / SIDE),
        # A mask may cut off all but a circle of four fifths of the side.
        "maskable-512": drawn(512, scale=0.8),
        "apple-touch-icon": drawn(180, scale=0.92),
    }.items():
        icon.save(OUT / f"{name}.png", optimize=True)


main()
