"""The short books: Two Geese (3 pages), Hush (1), Rounds (2), Ten Small Boats, the Hebrew Moon."""
import math
import random

from ferry import bear, fox, moon, star_field
from music import INK_M, staff_line
from press import (BOLD, Book, H, HEBREW, INK, ITALIC, Page, ROMAN, TEXT, TEXT_ITALIC, W, at, n,
                   wave)


def goose(flip=False, body='#fbf7ec', shade='#d8d2c0'):
    shape = (f'<path fill="{body}" d="M-60 10C-84 -2 -92 -22 -94 -34C-76 -22 -58 -30 -34 -32C-6 -34 14 '
             '-34 24 -48C36 -66 30 -98 40 -116C48 -130 70 -130 76 -116C82 -102 68 -94 64 -78C58 -50 '
             f'64 -20 44 8C24 34 -32 30 -60 10Z"/><path fill="{shade}" d="M-56 -4C-30 -24 4 -22 22 -10'
             'C4 14 -34 18 -56 -4Z"/><path fill="#e5843c" d="M75 -120L104 -108L76 -104Z"/><circle '
             'cx="62" cy="-114" r="3.4" fill="#23272b"/><path stroke="#e5843c" stroke-width="5" '
             'stroke-linecap="round" fill="none" d="M-14 24V52M-14 52h16M16 22V52M16 52h16"/>')
    return f'<g transform="scale(-1 1)">{shape}</g>' if flip else shape


def two_geese(root):
    book = Book(root, '01-bedtime/03-two-geese', 'Two Geese', 'Nell Abbott')
    page = Page(ground='#e8dcc0')
    page.add('<path fill="#a9b58a" d="M0 420C90 392 250 392 362 424V568H0Z"/>')
    page.add(at(120, 402, goose(), 1.0), at(250, 420, goose(True), .92))
    page.text(W / 2, 112, 'Two Geese', 58, ITALIC, '#5b3a22', 'middle')
    page.text(W / 2, 146, 'a very short story', 18, TEXT_ITALIC, '#5b3a22', 'middle')
    page.text(W / 2, 536, 'NELL ABBOTT', 11, TEXT, '#3f4a2c', 'middle', .16)
    book.page(page)
    page = Page(ground='#f6f1e6')
    page.add('<path fill="#c8d0a8" d="M0 190C90 170 250 172 362 192V250H0Z"/>')
    page.add(at(104, 182, goose(), .62), at(262, 186, goose(True), .58))
    page.lines(W / 2, 300, ['“After you,” said one goose', 'at the gate.', '',
                            '“No, after you,”', 'said the other.', '', 'This was on Monday.'], 21,
               32)
    book.page(page)
    page = Page(ground='#39506b')
    page.add(star_field(4, W, 300, 50), '<circle cx="278" cy="96" r="34" fill="#f6e6b6"/>',
             '<path fill="#53684e" d="M0 420C90 392 250 392 362 424V568H0Z"/><g stroke="#2b2a33" '
             'stroke-width="7" fill="none"><path d="M150 420V330M212 420V330M144 346H218M144 372H218'
             'M144 398H218M150 398L212 346"/></g>')
    page.add(at(74, 408, goose(), .62), at(290, 408, goose(True), .62))
    page.lines(W / 2, 196, ['It is Thursday now.', 'They are both', 'extremely polite.'], 24, 36,
               TEXT, '#f3e6c2')
    page.text(W / 2, 520, 'The gate has gone to bed.', 18, TEXT_ITALIC, '#f3e6c2', 'middle')
    book.page(page)
    assert book.count == 3


def hush(root):
    book = Book(root, '03-music-stand/03-hush', 'Hush', 'Anonymous')
    page = Page(ground='#dfe8e4')
    page.add('<rect x="16" y="16" width="330" height="536" fill="none" stroke="#2d5650" '
             'stroke-width="1.2"/><rect x="21" y="21" width="320" height="526" fill="none" '
             'stroke="#2d5650" stroke-width=".5"/>')
    page.text(W / 2, 92, 'Hush', 60, ITALIC, '#1c443f', 'middle')
    page.text(W / 2, 120, 'a lullaby for one voice, or none', 15, TEXT_ITALIC, '#2d5650', 'middle')
    words = ('Hush, the kettle is cold on the stove,', 'hush, the road has gone home.',
             'The dog has counted the sheep for you', 'and left you one of your own.')
    tunes = ('4 5 4 2 3 . 4 5', '4 2 1 2 3 . 0 .', '4 5 6 7 6 . 5 4', '3 4 2 1 0 . . .')
    for i, (line, tune) in enumerate(zip(words, tunes)):
        staff_line(page, 40, 172 + 84 * i, 282, tune, colour='#1c443f')
        page.text(W / 2, 172 + 84 * i + 52, line, 15, TEXT, '#1c443f', 'middle')
    page.add('<path transform="translate(0 24)" fill="#2d5650" d="M196 500a20 20 0 1 1 -16 -32a16 16 0 0 0 16 32Z"/>')
    book.page(page)


def rounds(root):
    book = Book(root, '03-music-stand/02-rounds', 'Rounds', 'Traditional, arranged for kitchens')
    page = Page(ground='#efe6d2')
    page.text(W / 2, 110, 'Rounds', 62, ROMAN, '#7c2f3a', 'middle')
    page.text(W / 2, 142, 'to be sung while washing up', 18, TEXT_ITALIC, '#7c2f3a', 'middle')
    for i, r in enumerate((128, 104, 80, 56)):
        page.add(f'<circle cx="181" cy="326" r="{r}" fill="none" stroke="#7c2f3a" '
                 f'stroke-width="{3 if i % 2 == 0 else 1}"/>')
        for k in range(3 + (3 - i)):
            a = 2 * math.pi * k / (6 - i) + .7 * i
            x, y = 181 + r * math.cos(a), 326 + r * math.sin(a)
            page.add(f'<g transform="translate({n(x)} {n(y)}) rotate({n(math.degrees(a) + 90)})">'
                     '<ellipse rx="8" ry="5.6" transform="rotate(-20)" fill="#7c2f3a"/><path '
                     'stroke="#7c2f3a" stroke-width="2" d="M7 -2V-26"/></g>')
    page.text(W / 2, 332, 'again', 17, ITALIC, '#7c2f3a', 'middle')
    page.text(W / 2, 530, 'ONE LEAF, TWO TUNES', 10, TEXT, '#7c2f3a', 'middle', .18)
    book.page(page)
    page = Page(ground='#f8f3e6')
    y = 66
    for title, how, parts in (
            ('The Kettle Round', 'Three voices; the second begins when the first reaches II.',
             (('I', 'The kettle’s on, the kettle’s on,', '0 2 4 5 4 . 2 .'),
              ('II', 'who drank the last of yesterday?', '4 4 5 6 7 6 5 4'),
              ('III', 'Not I, not I, not I.', '7 . 4 . 2 . 0 .'))),
            ('Spoon and Plate', 'Two voices and a drying cloth.',
             (('I', 'Spoon is to plate as bell is to steeple,', '2 3 4 4 5 4 3 2'),
              ('II', 'ring it again and you’ll wake up the people.', '4 5 6 6 5 4 2 0')))):
        page.text(W / 2, y, title, 23, ITALIC, INK, 'middle')
        page.text(W / 2, y + 20, how, 12.5, TEXT_ITALIC, '#5e5a50', 'middle')
        y += 46
        for mark, words, tune in parts:
            page.text(30, y + 14, mark, 13, ROMAN, '#7c2f3a', 'end')
            staff_line(page, 38, y, 294, tune)
            page.text(W / 2 + 8, y + 46, words, 13.5, TEXT, INK, 'middle')
            y += 71
        y += 24
    book.page(page)
    assert book.count == 2


NUMBERS = ('no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten')
BOATS = {
    10: ('Ten small boats went out to see the sea.', 'morning'),
    9: ('One met a sandbank and stayed for tea.', 'morning'),
    8: ('One went after a cloud with a hole in it.', 'noon'),
    7: ('One was a walnut. It cracked, a bit.', 'noon'),
    6: ('One tied itself to a sleeping whale.', 'noon'),
    5: ('One had to stop and unfold its sail.', 'wind'),
    4: ('One lent its mast to a tired tern.', 'wind'),
    3: ('One gave another its turn to turn.', 'evening'),
    2: ('One saw a star, and followed the star.', 'evening'),
    1: ('One small boat went ever so far.', 'night'),
}
SKIES = {'morning': ('#f6e3c5', '#bfd9d4', '#7fb3b4'), 'noon': ('#cfe6ea', '#9ccbd4', '#4f97a8'),
         'wind': ('#c3ccd2', '#a3b3bd', '#54738a'), 'evening': ('#e9b48f', '#c98a86', '#5b5a82'),
         'night': ('#16233f', '#2a4266', '#1b3358')}
EXTRAS = {
    9: '<path fill="#e8cf9a" d="M180 262C220 244 320 244 356 262Z"/><path fill="#3a2a2c" d="M262 '
       '252v-22h2v22z"/><path fill="#b5352a" d="M264 230l18 6l-18 6z"/>',
    8: '<path fill="#fff" opacity=".95" fill-rule="evenodd" d="M392 60a26 26 0 0 1 50 -8a22 22 0 0 1 '
       '12 42h-66a18 18 0 0 1 4 -34zM418 66a9 9 0 1 0 .1 0z"/>',
    7: '<path transform="translate(-60 -26)" fill="#8a5a34" d="M236 306a24 15 0 0 0 48 0z"/><path transform="translate(-60 -26)" stroke="#5f3a20" fill="none" '
       'd="M244 310q8 8 16 0t18 0M262 306l-4 6 5 3 -3 6"/>',
    6: '<path transform="translate(0 -6)" fill="#1d3f52" d="M206 318C216 272 300 262 352 286C372 294 384 292 392 278C382 270 386 '
       '262 398 266C404 256 416 260 412 270C408 292 388 314 360 318Z"/><path d="M228 302q6 5 12 0" '
       'stroke="#cfe6ea" stroke-width="2" fill="none"/>',
    5: '<g fill="none" stroke="#f4f6f8" stroke-width="2.4" stroke-linecap="round" opacity=".8"><path '
       'd="M320 110h90c16 0 16 -20 2 -20M300 128h150c18 0 18 22 2 22M346 146h56"/></g>',
    4: '<g transform="translate(372 206)"><path fill="#f4f6f8" d="M-26 0C-12 -16 14 -14 22 -4L36 -4L22 '
       '4C6 12 -12 10 -40 8Z"/><path fill="#23272b" d="M12 -11C18 -13 24 -8 24 -5L12 -5Z"/><path '
       'fill="#d8553c" d="M23 -5L38 -2L23 0Z"/><path stroke="#3a2a2c" stroke-width="3" d="M-4 8V70"/>'
       '</g>',
    2: '<path fill="#fff3cf" d="M188 70l5 17 17 5-17 5-5 17-5-17-17-5 17-5z"/>',
}
SAILS = ('#d8553c', '#e9b44c', '#2f8f86', '#8a4b6b', '#f4efe4', '#3b5f8a', '#c77a43', '#5c7b4a',
         '#b5352a', '#efc9a8')


def boat(sail, hull='#3a2a2c'):
    return (f'<path fill="{hull}" d="M-22 0H24L16 13H-14Z"/><path stroke="{hull}" stroke-width="2" '
            f'd="M0 0V-44"/><path fill="{sail}" d="M2 -44L24 -6H2Z"/><path fill="{sail}" '
            'opacity=".75" d="M-2 -38L-18 -6H-2Z"/>')


def ten_boats(root):
    book = Book(root, '01-bedtime/04-ten-small-boats', 'Ten Small Boats', 'Ida Fenn', spreads=False)
    wide, tall = 520, 360

    def scene(mood, count, seed):
        page = Page(wide, tall, None)
        top, low, water = SKIES[mood]
        sky = page.gradient('s', (0, top), (1, low))
        page.add(f'<rect width="{wide}" height="{tall}" fill="{sky}"/>')
        if mood == 'night':
            page.add(star_field(seed, wide, 170, 70), '<circle cx="408" cy="72" r="26" '
                     'fill="#f6e6b6"/>')
        elif mood in ('morning', 'evening'):
            page.add('<circle cx="396" cy="150" r="40" fill="#fff3cf" opacity=".9"/>')
        else:
            draw = random.Random(seed)
            page.add('<g fill="#fff" opacity=".7">' + ''.join(
                at(60 + 150 * i + draw.uniform(-20, 20), draw.uniform(44, 96),
                   '<path d="M-40 12a14 14 0 0 1 8 -26a22 22 0 0 1 40 -4a16 16 0 0 1 24 30z"/>')
                for i in range(3)) + '</g>')
        draw = random.Random(seed + 40)
        rows = ((190, .8), (226, 1.05), (270, 1.4))
        places = []
        for i in range(count):
            row = i % 3 if count > 2 else 1
            places.append((row, i))
        for row, (y, scale) in enumerate(rows):
            mine = [i for r, i in places if r == row]
            for k, i in enumerate(mine):
                x = wide * (k + .5 + draw.uniform(-.16, .16)) / len(mine)
                page.add(at(x, y + 6 - 11 * scale, boat(SAILS[i]), scale, draw.uniform(-5, 5)))
            page.add(f'<g opacity="{(.55, .75, 1)[row]}">'
                     + wave(y + 4, 22 + 9 * row, 5 + 2 * row, water, wide, tall, 11 * row + seed)
                     + '</g>')
        return page

    page = scene('morning', 10, 3)
    page.text(wide / 2, 84, 'Ten Small Boats', 56, ROMAN, '#1e3d4d', 'middle')
    page.text(wide / 2, 116, 'by Ida Fenn', 18, TEXT_ITALIC, '#1e3d4d', 'middle')
    book.page(page)
    for count in range(10, 0, -1):
        line, mood = BOATS[count]
        page = scene(mood, count, 20 - count)
        page.add(EXTRAS.get(count, ''))
        ink = '#f3e6c2' if mood in ('night',) else '#f8f2e2'
        page.text(wide / 2, 336, line, 22, TEXT, ink, 'middle')
        shade = '#f3e6c2' if mood == 'night' else '#1e3d4d'
        page.text(40, 66, str(count), 54, ROMAN, shade)
        book.page(page)
    page = scene('morning', 10, 31)
    ink = '#1e3d4d'
    page.text(wide / 2, 66, 'In the morning they all came home', 22, TEXT, ink, 'middle')
    page.text(wide / 2, 96, 'and told it differently.', 22, TEXT, ink, 'middle')
    book.page(page)
    assert book.count == 12




def cat(fill='#16151c', turn=0):
    return (f'<g fill="{fill}"><path d="M-26 0C-30 -30 -16 -52 0 -52C16 -52 26 -30 22 0Z"/><circle '
            'cx="-2" cy="-62" r="19"/><path d="M-20 -66L-19 -90L-5 -79ZM16 -66L15 -90L1 -79Z"/></g>'
            f'<path d="M20 -6C46 -4 50 -30 42 -44" stroke="{fill}" stroke-width="7" '
            'stroke-linecap="round" fill="none"/><circle cx="-9" cy="-64" r="3.6" fill="#ffd98a"/>'
            '<circle cx="5" cy="-64" r="3.6" fill="#ffd98a"/>')


def ladder(x1, y1, x2, y2, rungs, width=24):
    dx, dy = x2 - x1, y2 - y1
    length = math.hypot(dx, dy)
    px, py = -dy / length * width / 2, dx / length * width / 2
    lines = ''.join(
        f'M{n(x1 + dx * t - px)} {n(y1 + dy * t - py)}L{n(x1 + dx * t + px)} {n(y1 + dy * t + py)}'
        for t in ((i + .5) / rungs for i in range(rungs)))
    return (f'<path fill="none" stroke="#b98052" stroke-width="5" stroke-linecap="round" d="M{n(x1 - px)} '
            f'{n(y1 - py)}L{n(x2 - px)} {n(y2 - py)}M{n(x1 + px)} {n(y1 + py)}L{n(x2 + px)} '
            f'{n(y2 + py)}{lines}"/>')


def hebrew_moon(root):
    """Read from right to left, almost without words: a cat fetches the moon and gives it back."""
    book = Book(root, '01-bedtime/05-yareach', 'ירח', 'נועה', 'rtl')

    def ground(sky, foot, hill, seed, stars=50):
        page = Page(ground=None)
        page.add(f'<rect width="{W}" height="{H}" fill="{page.gradient("s", (0, sky), (1, foot))}"/>')
        page.add(star_field(seed, W, 360, stars))
        return page.add(f'<path fill="{hill}" d="M0 470C90 420 220 424 362 462V568H0Z"/>')

    night_sky = ('#2a1f4a', '#6a4a78', '#1d1733')
    page = ground(*night_sky, 2)
    moon(181, 236, 92, page)
    page.add(at(181, 452, cat(), 1.4))
    page.text(W / 2, 104, 'חרי', 76, HEBREW, '#f6e7bf', 'middle', say=False)
    page.text(W / 2, 544, 'העונ', 18, HEBREW, '#d9c994', 'middle', say=False)
    book.page(page, 'ירח, מאת נועה')
    book.page(Page(ground='#6a4a78').add(star_field(8, W, H, 160)), 'Endpaper: stars')

    page = ground(*night_sky, 12)
    moon(92, 96, 36, page)
    page.add('<path fill="#120e22" d="M236 450V330L292 284L348 330V470Z"/><rect x="270" y="350" '
             'width="44" height="50" fill="#ffd27a"/><path stroke="#120e22" stroke-width="4" d="M292 '
             '350V400M270 375H314"/>', at(150, 446, cat(), .9))
    book.page(page, 'A cat looks up at the moon')
    page = ground(*night_sky, 13)
    moon(92, 96, 36, page)
    page.add(at(214, 448, cat(), .9), ladder(60, 452, 330, 430, 11))
    book.page(page, 'The cat brings a ladder')
    page = ground(*night_sky, 14)
    moon(150, 120, 46, page)
    page.add(ladder(238, 470, 166, 164, 13), at(206, 330, cat(), .7, -12))
    book.page(page, 'The cat climbs')
    page = ground('#1b1638', '#3a2f60', '#1d1733', 15, 90)
    moon(181, 220, 118, page)
    page.add(ladder(280, 570, 232, 340, 10), at(240, 350, cat(), 1.1, -8))
    book.page(page, 'The cat reaches the moon')
    page = ground('#0e0c1c', '#1d1838', '#0a0814', 16, 120)
    page.add(ladder(238, 470, 166, 164, 13))
    moon(206, 300, 30, page)
    page.add(at(206, 372, cat(), .7))
    book.page(page, 'The cat carries the moon down, and the sky is dark')
    page = Page(ground='#241a30')
    page.add('<path fill="#3a2a44" d="M0 430H362V568H0Z"/><path fill="#ffd98a" opacity=".2" d="M181 '
             '330m-150 0a150 150 0 1 0 300 0a150 150 0 1 0 -300 0"/>')
    moon(181, 372, 52, page)
    page.add('<path fill="#7c2f3a" d="M86 404C86 380 276 380 276 404L262 446H100Z"/><path '
             'fill="#a2454e" d="M86 404C110 420 252 420 276 404L272 418C240 432 122 432 90 418Z"/>',
             at(300, 452, cat('#0e0b14'), .86))
    page.add('<rect x="40" y="60" width="96" height="116" fill="#0e0c1c"/><path stroke="#5a4466" '
             'stroke-width="6" fill="none" d="M40 60H136V176H40ZM88 60V176M40 118H136"/>')
    book.page(page, 'At home the moon sleeps in the cat’s basket')
    page = ground('#0e0c1c', '#1d1838', '#0a0814', 18, 10)
    for x, y, kind in ((70, 470, 'owl'), (170, 456, 'fox'), (286, 462, 'bear')):
        from ferry import owl
        page.add(owl(.7, 'open', x, y - 24) if kind == 'owl' else
                 at(x, y, fox('#7a4030'), .8) if kind == 'fox' else at(x, y, bear('#2a2024'), .74))
    book.page(page, 'Outside, everybody looks for the moon')
    page = ground(*night_sky, 19)
    page.add(ladder(238, 480, 166, 164, 13), at(200, 310, cat(), .7, -12))
    moon(168, 212, 30, page)
    book.page(page, 'The cat carries the moon back up')
    page = ground(*night_sky, 20)
    moon(181, 130, 64, page)
    page.add(at(70, 466, fox('#c9623a'), .8), at(290, 462, bear('#3a2a2c'), .74),
             at(180, 458, cat(), .9))
    book.page(page, 'The moon is back, and nobody looks lonely')
    page = ground(*night_sky, 21)
    page.add('<path fill="#f6e7bf" d="M206 268a46 46 0 1 1 -40 -72a38 38 0 0 0 40 72Z"/>',
             at(181, 460, cat(), .7))
    book.page(page, 'Back cover: a new moon')
    assert book.count == 12


def make(root):
    two_geese(root)
    hush(root)
    rounds(root)
    ten_boats(root)
    hebrew_moon(root)
