"""Converts OpenDyslexic, the third font of the reading view, from Debian's package to Web/fonts, with its licence.

Usage: /usr/bin/python3 Scripts/samples/fonts.py
Needs the Debian packages fonts-opendyslexic and woff2. The font is only compressed: no glyph is changed or left out.
"""

import pathlib
import shutil
import subprocess
import tempfile

OUT = pathlib.Path(__file__).resolve().parents[2] / "Web" / "fonts"
PACKAGE = "fonts-opendyslexic"
# The reading view shows neither bold nor italic words.
FONTS = ["OpenDyslexic-Regular"]
NOTE = "The files OpenDyslexic*.woff2 are those of Debian's package fonts-opendyslexic, compressed as WOFF2.\n\n"


def main():
    """Writes the fonts and their licence."""
    with tempfile.TemporaryDirectory() as folder:
        for name in FONTS:
            font = shutil.copy(f"/usr/share/fonts/opentype/opendyslexic/{name}.otf", folder)
            subprocess.run(["woff2_compress", font], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            shutil.copy(pathlib.Path(font).with_suffix(".woff2"), OUT)
    licence = pathlib.Path(f"/usr/share/doc/{PACKAGE}/copyright").read_text()
    (OUT / "OpenDyslexic.txt").write_text(NOTE + licence)


main()
