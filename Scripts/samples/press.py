"""Sets type as outlines and writes pages as self-contained SVG files.

A page shown in an <img> cannot load fonts, so every letter is a path. For search, words.json
next to the pages contains the text and its positions. Needs the Debian packages python3-fonttools and
fonts-ebgaramond (and fonts-dejavu-core for the comic and the Hebrew title).
"""
import json
import math
import os
import random
import re
from html import escape, unescape

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

GARAMOND = '/usr/share/fonts/opentype/ebgaramond/EBGaramond'
DEJAVU = '/usr/share/fonts/truetype/dejavu/DejaVu'
W, H = 362, 568
PAPER, INK, INK2 = '#f6f1e6', '#23272b', '#5e5a50'


def n(value):
    """Formats a number as briefly as a drawing allows."""
    text = f'{value:.1f}'
    return text[:-2] if text.endswith('.0') else text


class Font:
    """Outlines, advances and pair kerning of one cut."""

    def __init__(self, key, path):
        self.key = key
        self.file = TTFont(path)
        self.glyphs = self.file.getGlyphSet()
        self.characters = self.file.getBestCmap()
        self.units = self.file['head'].unitsPerEm
        self.metrics = self.file['hmtx']
        self.pairs = self._kerning()
        self.paths = {}

    def _kerning(self):
        if 'GPOS' not in self.file:
            return []
        table = self.file['GPOS'].table
        wanted = {i for f in table.FeatureList.FeatureRecord if f.FeatureTag == 'kern'
                  for i in f.Feature.LookupListIndex}
        found = []
        for i in sorted(wanted):
            for sub in table.LookupList.Lookup[i].SubTable:
                sub = getattr(sub, 'ExtSubTable', sub)
                if type(sub).__name__.startswith('PairPos'):
                    found.append((sub, set(sub.Coverage.glyphs)))
        return found

    def kern(self, left, right):
        for sub, covered in self.pairs:
            if left not in covered:
                continue
            if sub.Format == 1:
                records = sub.PairSet[sub.Coverage.glyphs.index(left)].PairValueRecord
                for record in records:
                    if record.SecondGlyph == right:
                        return (record.Value1.XAdvance or 0) if record.Value1 else 0
            else:
                first = sub.ClassDef1.classDefs.get(left, 0)
                second = sub.ClassDef2.classDefs.get(right, 0)
                value = sub.Class1Record[first].Class2Record[second].Value1
                advance = getattr(value, 'XAdvance', 0) if value else 0
                if advance:
                    return advance
        return 0

    def set(self, text, tracking=0):
        """Returns the glyphs of a line with their positions, and its length, in font units."""
        for pair, ligature in (('ffi', '\ufb03'), ('ffl', '\ufb04'), ('fi', '\ufb01'),
                               ('fl', '\ufb02')):
            if not tracking and ord(ligature) in self.characters:
                text = text.replace(pair, ligature)
        x, placed, last = 0, [], None
        for character in text:
            name = self.characters.get(ord(character))
            if name is None:
                raise ValueError(f'{self.key} has no {character!r} for {text!r}')
            if last:
                x += self.kern(last, name)
            placed.append((name, x))
            x += self.metrics[name][0] + tracking * self.units
            last = name
        return placed, x - tracking * self.units

    def width(self, text, size, tracking=0):
        return self.set(text, tracking)[1] * size / self.units

    def path(self, name):
        if name not in self.paths:
            pen = SVGPathPen(self.glyphs, ntos=lambda v: str(round(v)))
            self.glyphs[name].draw(pen)
            self.paths[name] = pen.getCommands()
        return self.paths[name]


ROMAN = Font('r', GARAMOND + '12-Regular.otf')
ITALIC = Font('i', GARAMOND + '12-Italic.otf')
TEXT = Font('t', GARAMOND + '08-Regular.otf')
TEXT_ITALIC = Font('u', GARAMOND + '08-Italic.otf')
BOLD = Font('b', DEJAVU + 'SansCondensed-Bold.ttf')
HEBREW = Font('h', DEJAVU + 'Sans.ttf')


class Page:
    """One page: its shapes in order, and its text for screen readers."""

    def __init__(self, width=W, height=H, ground=PAPER):
        self.width, self.height = width, height
        self.body, self.defs, self.glyphs, self.words = [], [], {}, []
        self.boxes = []
        if ground:
            self.add(f'<rect width="{width}" height="{height}" fill="{ground}"/>')

    def add(self, *shapes):
        self.body += shapes
        return self

    def define(self, shape):
        if shape not in self.defs:
            self.defs.append(shape)

    def gradient(self, name, *stops, down=True):
        self.define(
            f'<linearGradient id="{name}" x1="0" y1="0" x2="{0 if down else 1}" '
            f'y2="{1 if down else 0}">'
            + ''.join(f'<stop offset="{o}" stop-color="{c}"/>' for o, c in stops)
            + '</linearGradient>')
        return f'url(#{name})'

    def text(self, x, y, text, size=17, font=ROMAN, fill=INK, anchor='start', tracking=0,
             turn=0, say=True):
        placed, length = font.set(text, tracking)
        scale = size / font.units
        shift = {'start': 0, 'middle': length / 2, 'end': length}[anchor]
        uses = []
        for name, place in placed:
            path = font.path(name)
            if not path:
                continue
            number = self.glyphs.setdefault((font.key, name), len(self.glyphs))
            self.define(f'<path id="g{number}" d="{path}"/>')
            at = round(place - shift)
            uses.append(f'<use href="#g{number}"' + (f' x="{at}"' if at else '') + '/>')
        rotate = f' rotate({n(turn)})' if turn else ''
        self.add(f'<g fill="{fill}" transform="translate({n(x)} {n(y)}){rotate} '
                 f'scale({scale:.5f} {-scale:.5f})">' + ''.join(uses) + '</g>')
        if say:
            self.words.append(text)
            self.place(x - shift * scale, y, text, size, font, tracking, math.radians(turn), (x, y))
        return length * scale

    def place(self, left, y, text, size, font, tracking, turn, about):
        """Records the position of each word of a line, in fractions of the page."""
        start = 0
        for word in text.split(' '):
            before = font.width(text[:start] + 'n', size, tracking) - font.width('n', size, tracking)
            start += len(word) + 1
            if not word:
                continue
            x0, x1 = left + before, left + before + font.width(word, size, tracking)
            corners = [self.turned(x - about[0], z - about[1], turn)
                       for x in (x0, x1) for z in (y - .74 * size, y + .26 * size)]
            across = [(about[0] + x) / self.width for x, _ in corners]
            down = [(about[1] + z) / self.height for _, z in corners]
            box = [round(min(1, max(0, value)), 4)
                   for value in (min(across), min(down), max(across), max(down))]
            self.boxes.append([*box, word])

    @staticmethod
    def turned(x, y, turn):
        return (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))

    def lines(self, x, y, lines, size=21, leading=34, font=TEXT, fill=INK, anchor='middle'):
        for line in lines:
            if line:
                self.text(x, y, line, size, font, fill, anchor)
            y += leading
        return y

    def paragraph(self, x, y, width, text, size=13.5, leading=19, font=TEXT, fill=INK, indent=0):
        """Sets ragged right text and returns the baseline below the last line."""
        line, first = [], True
        for word in text.split() + [None]:
            room = width - (indent if first else 0)
            if word is None or (line and font.width(' '.join(line + [word]), size) > room):
                self.text(x + (indent if first else 0), y, ' '.join(line), size, font, fill)
                y += leading
                line, first = [], False
            if word is not None:
                line.append(word)
        return y

    def folio(self, index, fill='#6d6757'):
        left = index % 2 == 1
        self.text(36 if left else self.width - 36, self.height - 24, str(index + 1), 11, TEXT,
                  fill, 'start' if left else 'end', say=False)

    def svg(self, title=None):
        title = title or ' '.join(self.words) or 'A page without words'
        defs = '<defs>' + ''.join(self.defs) + '</defs>' if self.defs else ''
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img">'
                f'<title>{escape(title)}</title>{defs}{"".join(self.body)}</svg>\n')


class Book:
    """A folder of pages; pages that are drawn by hand stay unchanged."""

    def __init__(self, root, folder, title, author, progression='ltr', stock='paper', spreads=True):
        self.folder = os.path.join(root, folder)
        os.makedirs(self.folder, exist_ok=True)
        self.count, self.said = 0, []
        told = '' if stock == 'paper' else f',\n  "stock": "{stock}"'
        told += '' if spreads else ',\n  "spreads": false'
        with open(os.path.join(self.folder, 'book.json'), 'w', encoding='utf-8') as file:
            file.write(f'{{\n  "title": "{title}",\n  "author": "{author}",\n'
                       f'  "progression": "{progression}"{told}\n}}\n')

    @property
    def index(self):
        return self.count

    def page(self, page, title=None):
        with open(self._path(), 'w', encoding='utf-8') as file:
            file.write(page.svg(title))
        self.count += 1
        self._say({'text': '\n'.join(page.words), 'words': page.boxes})

    def drawn_by_hand(self):
        if not os.path.exists(self._path()):
            raise SystemExit(f'{self._path()} is drawn by hand and is missing; restore it')
        with open(self._path(), encoding='utf-8') as file:
            title = re.search('<title>(.*?)</title>', file.read(), re.DOTALL)
        self.count += 1
        self._say({'text': unescape(title[1]) if title else ''})

    def _say(self, page):
        """Writes the text of all pages so far, one page per line."""
        self.said.append(json.dumps(page, ensure_ascii=False, separators=(',', ':')))
        with open(os.path.join(self.folder, 'words.json'), 'w', encoding='utf-8') as file:
            file.write('[' + ',\n'.join(self.said) + ']\n')

    def _path(self):
        return os.path.join(self.folder, f'{self.count:03}.svg')


def star_field(seed, width, height, count=40, fill='#f3e6c2', below=0):
    draw = random.Random(seed)
    return ''.join(
        f'<circle cx="{n(draw.uniform(4, width - 4))}" cy="{n(draw.uniform(4 + below, height))}" '
        f'r="{draw.choice((0.7, 0.9, 1.2, 1.7))}" fill="{fill}" '
        f'opacity="{draw.choice((0.4, 0.6, 0.9))}"/>' for _ in range(count))


def wave(y, length, depth, fill, width=W, height=H, shift=0):
    """A band of sea with the crests of the covers, down to the foot of the page."""
    count = int(width / (length * 2)) + 3
    crests = ''.join(f'q{n(length * .56)} {n(-depth)} {n(length)} {n(-depth)}'
                     f'q{n(length * .2)} {n(depth * .9)} {n(length)} {n(depth)}'
                     for _ in range(count))
    return f'<path fill="{fill}" d="M{n(-shift)} {height}V{n(y)}{crests}V{height}Z"/>'


def at(x, y, shape, scale=1, turn=0):
    more = (f' rotate({n(turn)})' if turn else '') + (
        f' scale({scale if isinstance(scale, str) else round(scale, 3)})' if scale != 1 else '')
    return f'<g transform="translate({n(x)} {n(y)}){more}">{shape}</g>'
