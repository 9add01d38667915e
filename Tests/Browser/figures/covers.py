"""A shelf of comics whose covers are drawn here, for the picture of a wall of covers."""

import io
import math
import random
import zipfile

from PIL import Image

from figures.deck import data
from server import ROOT

SIZE = (400, 600)
SHADES = (("#1b3a4b", "#f2e8cf", "#e0a458", "#6a994e"), ("#7a2e2e", "#f4e9d8", "#e8b04b", "#c8553d"),
          ("#f1e7d0", "#2b3a55", "#c8553d", "#7fa99b"), ("#2f4f43", "#f3ecd9", "#d9a441", "#8fb996"),
          ("#e9c46a", "#3b2c35", "#b5352a", "#2a6f77"), ("#3a2f55", "#f4e4d4", "#e07a5f", "#81b29a"),
          ("#d8e2dc", "#33415c", "#e76f51", "#5c8a8a"), ("#22333b", "#eae0d5", "#c6ac8f", "#8a9ea7"))
BOOKS = (("Over the Next Hill", "Oda Brandt", "hills"), ("The Lamplighters", "P. K. Moss", "stars"),
         ("One Stone in a Pond", "Lin Aware", "rings"), ("Nine Windows Lit", "Tove Halder", "houses"),
         ("The Hedge School", "Fern Dacey", "leaves"), ("Brass and Sunday", "Jules Amari", "rays"),
         ("Snow Line", "Ivo Kester", "peaks"), ("The Harbour Book", "Maud Seaton", "waves"),
         ("A Long Low Sun", "Noor Vidal", "sun"), ("Half Past Owl", "P. K. Moss", "stars"),
         ("The Walled Garden", "Fern Dacey", "leaves"), ("Tin Roofs", "Tove Halder", "houses"),
         ("What the Well Said", "Lin Aware", "rings"), ("Salt", "Maud Seaton", "waves"),
         ("The Far Pasture", "Oda Brandt", "hills"), ("Parade", "Jules Amari", "rays"),
         ("Eleven Summits", "Ivo Kester", "peaks"), ("Evening Post", "Noor Vidal", "sun"),
         ("Moss and Company", "Fern Dacey", "leaves"), ("Night Shift", "P. K. Moss", "stars"),
         ("The Street That Slept", "Tove Halder", "houses"))


def shape(kind, **values):
    """Returns an element of a drawing."""
    return f"<{kind} {' '.join(f'{name}={chr(34)}{value}{chr(34)}' for name, value in values.items())}/>"


def disc(x, y, radius, fill):
    """Returns a disc."""
    return shape("circle", cx=round(x, 1), cy=round(y, 1), r=round(radius, 1), fill=fill)


def swell(base, height, phase, fill):
    """Returns the ground below a wavy line."""
    tops = [f"{x},{base + height * math.sin(phase + x / 70):.1f}" for x in range(0, 401, 10)]
    return shape("polygon", points=f"0,600 {' '.join(tops)} 400,600", fill=fill)


def motif(name, chance, ground, ink, warm, cool):
    """Returns the drawing on a cover."""
    if name == "hills":
        return disc(290, 250, 46, warm) + "".join(
            swell(320 + 60 * n, 26, chance.uniform(0, 6), fill) for n, fill in enumerate((cool, warm, ink, cool)))
    if name == "stars":
        dots = "".join(disc(chance.uniform(20, 380), chance.uniform(190, 520), chance.uniform(1, 3.4), ink)
                       for _ in range(90))
        return dots + disc(200, 360, 92, warm) + disc(238, 338, 80, ground)
    if name == "rings":
        return "".join(disc(200, 380, 190 - 27 * n, (warm, cool, ink)[n % 3]) for n in range(7))
    if name == "houses":
        walls = []
        for n in range(5):
            left, top = 20 + 73 * n, chance.uniform(280, 380)
            walls.append(shape("polygon", fill=(warm, cool, ink)[n % 3], points=(
                f"{left},600 {left},{top} {left + 34},{top - 44} {left + 68},{top} {left + 68},600")))
            walls += [shape("rect", x=left + 14 + 24 * (k % 2), y=round(top + 24 + 52 * (k // 2)), width=15, height=24,
                            fill="#ffe9a8" if chance.random() < .6 else "#0004") for k in range(8)]
        return "".join(walls)
    if name == "leaves":
        stem = shape("path", d="M200 590C196 480 206 360 200 200", stroke=ink, fill="none", **{"stroke-width": 4})
        return stem + "".join(shape(
            "path", d="M0 0C30 -46 86 -50 118 -26C84 6 34 16 0 0Z", fill=(cool, warm)[n % 3 == 2],
            transform=f"translate(200 {560 - 42 * (n // 2)}) scale({(1, -1)[n % 2] * (1.1 - .05 * n)} {1.1 - .05 * n})")
            for n in range(16))
    if name == "rays":
        ends = [(200 + 350 * math.cos(math.pi * n / 17), 560 - 350 * math.sin(math.pi * n / 17)) for n in range(18)]
        pairs = zip(ends[::2], ends[1::2], strict=False)
        rays = (f"200,560 {a:.1f},{b:.1f} {c:.1f},{d:.1f}" for (a, b), (c, d) in pairs)
        return "".join(shape("polygon", points=ray, fill=cool) for ray in rays) + disc(200, 560, 120, warm)
    if name == "peaks":
        tops = ((110, 300, cool), (290, 260, ink), (200, 370, warm))
        return disc(200, 250, 60, warm) + "".join(
            shape("polygon", points=f"{x - 190},620 {x},{y} {x + 190},620", fill=fill) for x, y, fill in tops)
    if name == "waves":
        return "".join(disc(66.7 * x + 33.3 * (y % 2), 300 + 34 * y, 34 - 9 * n, (cool, ink, warm)[n])
                       for y in range(10) for x in range(7) for n in range(3))
    return disc(200, 390, 120, warm) + "".join(
        shape("rect", x=0, y=390 + 26 * n, width=400, height=5 + 2.2 * n, fill=cool) for n in range(9))


def cover(title, author, drawing, number):
    """Returns a cover as the text of a page."""
    ground, ink, warm, cool = SHADES[(number * 3 + number // len(SHADES)) % len(SHADES)]
    face = data("font/woff2", ROOT / "Web" / "fonts" / "EBGaramond12-Regular.woff2")
    size = 62 if len(title) < 14 else 50
    return f"""<!doctype html><meta charset="utf-8"><style>
@font-face{{font-family:Cover;src:url({face})}}
*{{margin:0}}body{{width:400px;height:600px;overflow:hidden;background:{ground};color:{ink};font-family:Cover}}
svg{{position:absolute;inset:0}}
header{{position:absolute;left:34px;right:30px;top:30px}}
h1{{font-size:{size}px;line-height:.98;font-weight:400;text-wrap:balance}}
p{{margin-top:12px;font-size:23px;letter-spacing:.04em}}
</style><svg viewBox="0 0 400 600" width="400" height="600">
{motif(drawing, random.Random(title), ground, ink, warm, cool)}</svg><header><h1>{title}</h1><p>{author}</p></header>"""


def write_shelf(chromium, folder):
    """Writes the books of a shelf into a folder."""
    folder.mkdir(parents=True)
    page = io.BytesIO()
    Image.new("RGB", SIZE, "#f6f1e6").save(page, "PNG")
    reader = chromium.reader(*SIZE)
    try:
        for number, (title, author, drawing) in enumerate(BOOKS):
            reader.page.set_content(cover(title, author, drawing, number))
            reader.wait_for("document.fonts.ready.then(() => true)")
            with zipfile.ZipFile(folder / f"{number:02} {title}.cbz", "w") as comic:
                comic.writestr("000.png", reader.page.screenshot())
                for leaf in range(1, 9 + number % 5):
                    comic.writestr(f"{leaf:03}.png", page.getvalue())
    finally:
        reader.close()
    return len(BOOKS)
