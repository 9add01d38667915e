"""An Atlas of Small Islands: sixty pages with twenty-four sheets of islands that do not exist."""
import math
import random

from press import Book, H, INK, ITALIC, Page, ROMAN, TEXT, TEXT_ITALIC, W, at, n

SEA, DEEP, FOAM, SAND = '#1b565c', '#14434a', '#9cc3b4', '#f3e6c2'
LAND = ('#f1dfb0', '#e6c98c', '#d3a862', '#b8823f', '#935a28', '#6d371a')
RED = '#b5352a'
ROMAN_DIGITS = ((10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I'))

# The total population, which the back cover states.
PEOPLE = 2079

# name, population, description
ISLANDS = (
    ('Little Ambage', '41', 'The only road goes round the island once and returns to the door it '
     'left. Letters are addressed by the hour: Mrs Tolley lives at a quarter past.'),
    ('Hollin', '7', 'Seven people and eight boats. The eighth is kept tarred and ready for whoever '
     'comes next, and each spring they argue pleasantly about its name.'),
    ('The Comma', '112', 'So called for what it does. Ships pause here and then go on. The inn serves '
     'one dish, which is soup, and the soup is never finished.'),
    ('Great Farthing', '260', 'The smallest island ever to be called great. It once issued its own '
     'coin, worth a quarter of a fish, and change was given in scales.'),
    ('Nether Skerry', '0', 'Dry for two hours in the day. In those two hours somebody always manages '
     'to fly a flag on it, hold a picnic and write down the weather.'),
    ('Saint Orrin', '83', 'The saint came by millstone. It is still here and still turns, though it '
     'is now used for sharpening skates, there being no other flat thing.'),
    ('Wick and Tallow', '19', 'Two islands at low water and one at no time at all. The lighthouse '
     'stands on Wick, its keeper lives on Tallow, and he keeps good shoes.'),
    ('Pell', '305', 'Grows a pear that is ripe for one afternoon. Schools close, shops close, the '
     'ferry waits. By evening it is all jam and nobody speaks much.'),
    ('Far Tansy', '28', 'Further than Tansy, which has not been found. The people of Far Tansy '
     'leave a lamp in the west window in case it is only late.'),
    ('Umber', '150', 'Its cliffs are dug for a brown that painters use under other browns. Every '
     'dog on the island is that brown, and so are the soles of all feet.'),
    ('The Anvil', '3', 'A flat rock that rings when the swell strikes it from the south. Three '
     'sisters tune pianos here by post, humming into envelopes.'),
    ('Quill', '64', 'Geese rest on Quill in October and leave it white with feathers. No pillow on '
     'the island has ever been bought, and no letter typed.'),
    ('Lesser Noon', '92', 'Lies so exactly under the midday sun that on one day in June nobody has a '
     'shadow. It is considered bad manners to look down.'),
    ('Bracken Holm', '11', 'All fern, and in the middle of the fern a telephone. It rings on Sundays. '
     'The caller has the wrong number, but by now they are friends.'),
    ('Ketterick', '417', 'Has two harbours and two choirs that do not agree. When the fog is thick '
     'each sings the boats home to its own side.'),
    ('The Button', '0', 'A round green rock with four holes in it. In a westerly it whistles a chord '
     'of the seventh, which sailors wait politely to hear resolved.'),
    ('Maud', '56', 'Named for a cook who saw it first and was told it was a cloud. The highest '
     'hill is called Cloud, and the second highest I Told You So.'),
    ('Inch Averill', '23', 'Measured yearly by the schoolchildren with one piece of string. The string '
     'is older than the school. The island is thought to be growing.'),
    ('Drum', '138', 'Hollow. Rain can be heard from below, in the caves, where the islanders keep '
     'cheese and hold their weddings in bad summers.'),
    ('The Two Aunts', '2', 'Two stacks, one stout and one thin, leaning slightly together. Each is '
     'lived on by a gentleman who says he can hear them talking.'),
    ('Sorrel', '71', 'Owns the last horse in these waters. He has the vote, by an oversight, and '
     'has used it so far with moderation.'),
    ('Lull', '9', 'The wind drops within a mile of Lull. Nobody knows why. Washing takes three days '
     'and kites are kept, framed, on the walls.'),
    ('Candlemas', '187', 'Found by night, and for some years only by night. The day chart was drawn '
     'by a clerk who could not sleep, and is still the best.'),
    ('Last', '1', 'There is one more beyond it, but the keeper of Last has asked us not to say so. '
     'He has his own copy of this atlas, and he likes the ending.'),
)


def numeral(value):
    text = ''
    for size, letters in ROMAN_DIGITS:
        while value >= size:
            text, value = text + letters, value - size
    return text


def outline(draw, rough=1.0):
    """A closed coast about the origin with radius near one: a sum of a few slow waves."""
    waves = [(k, draw.uniform(.5, 1) * rough * .46 / k ** 1.25, draw.uniform(0, 6.28))
             for k in range(1, 8)]
    stretch, turn = draw.uniform(.72, 1.05), draw.uniform(0, 3.14)

    def at_angle(a, calm=1.0):
        r = 1 + calm * sum(h * math.sin(k * a + p) for k, h, p in waves)
        x, y = math.cos(a) * r, math.sin(a) * r * stretch
        return x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    return at_angle


def closed(points):
    """A smooth closed path through points (Catmull-Rom as cubic curves)."""
    count = len(points)
    path = f'M{n(points[0][0])} {n(points[0][1])}'
    for i in range(count):
        p0, p1, p2, p3 = (points[(i + k) % count] for k in (-1, 0, 1, 2))
        path += (f'C{n(p1[0] + (p2[0] - p0[0]) / 6)} {n(p1[1] + (p2[1] - p0[1]) / 6)} '
                 f'{n(p2[0] - (p3[0] - p1[0]) / 6)} {n(p2[1] - (p3[1] - p1[1]) / 6)} '
                 f'{n(p2[0])} {n(p2[1])}')
    return path + 'Z'


def island(page, draw, cx, cy, radius, heights, top):
    coast = outline(draw)
    points = 30 if radius > 40 else 16
    sx, sy = draw.uniform(-.16, .16), draw.uniform(-.16, .16)

    def ring(scale, calm=1.0, lift=0.0):
        return closed([(cx + radius * (x * scale + sx * lift), cy + radius * (y * scale + sy * lift))
                       for x, y in (coast(2 * math.pi * i / points, calm) for i in range(points))])

    for scale, opacity in ((1.34, .22), (1.2, .3), (1.09, .4)):
        page.add(f'<path fill="{FOAM}" opacity="{opacity}" d="{ring(scale, .86)}"/>')
    for i in range(heights):
        scale = 1 - i * (.86 / heights) - (.02 if i else 0)
        page.add(f'<path fill="{LAND[i]}" stroke="#5a3418" stroke-opacity=".35" stroke-width=".6" '
                 f'd="{ring(scale, 1 - .07 * i, i / heights)}"/>')
    px, py = cx + radius * sx, cy + radius * sy
    if top:
        page.add(f'<path fill="#3a2012" d="M{n(px - 3.5)} {n(py + 3)}h7l-3.500 -6.500z"/>')
        page.text(px + 7, py + 3.5, top, 10, TEXT_ITALIC, '#2c1a0e' if heights < 4 else '#fff3d8',
                  say=False)
    return coast


def rose(x, y, scale=1.0, fill=SAND):
    points = ''.join(f'<path transform="rotate({a})" d="M0 -20L3.4 -3.4L0 0Z" fill="{fill}"/><path '
                     f'transform="rotate({a})" d="M0 -20L-3.4 -3.4L0 0Z" fill="{fill}" '
                     'opacity=".45"/>' for a in (0, 90, 180, 270))
    return at(x, y, f'<circle r="10" fill="none" stroke="{fill}" stroke-width=".8"/>' + points, scale)


def grid(page, left, top, wide, tall):
    lines = ''.join(f'M{left + i * wide / 5:.0f} {top}v{tall}' for i in range(1, 5))
    lines += ''.join(f'M{left} {top + i * tall / 7:.0f}h{wide}' for i in range(1, 7))
    page.add(f'<path d="{lines}" stroke="{FOAM}" stroke-opacity=".22" stroke-width=".7"/>')


def facts(number):
    draw = random.Random(9000 + number)
    known = {
        'latitude': f'{draw.randint(48, 61)}° {draw.randint(0, 59):02}′ N',
        'longitude': f'{draw.randint(6, 23)}° {draw.randint(0, 59):02}′ W',
        'area': f'{draw.choice((0.3, 0.6, 0.9, 1.4, 2.1, 2.8, 3.5, 4.2))} km²',
        'height': f'{draw.randint(9, 212)} m',
        'landing': draw.choice(('north stair', 'the slip', 'a beach of shells', 'by rope', 'the old '
                                'quay', 'jump at the third wave')),
    }
    known.update({'Nether Skerry': {'height': '2 m', 'area': '0.1 km²'},
                  'Great Farthing': {'area': '0.2 km²'},
                  'The Button': {'height': '4 m', 'area': '0.1 km²'}}.get(ISLANDS[number][0], {}))
    return known


def notes_page(index, number):
    name, people, text = ISLANDS[number]
    page = Page()
    page.text(36, 66, f'SHEET {numeral(number + 1)}', 11, TEXT, RED, tracking=.16)
    page.text(36, 104, name, 34 if ROMAN.width(name, 34) < 285 else 28, ROMAN, '#14434a')
    page.add('<path d="M36 122H326" stroke="#14434a" stroke-width=".8"/><path d="M36 125H326" '
             'stroke="#14434a" stroke-width=".4"/>')
    foot = page.paragraph(36, 158, 288, text, 17, 25)
    known = facts(number)
    rows = (('Position', f'{known["latitude"]}, {known["longitude"]}'), ('Area', known['area']),
            ('Highest point', known['height']),
            ('Inhabitants', people if people != '0' else 'none, or none that stay'),
            ('Landing', known['landing']))
    y = max(foot + 26, 334)
    for label, value in rows:
        page.add(f'<path d="M36 {n(y + 7)}H326" stroke="#14434a" stroke-opacity=".25" '
                 'stroke-width=".6"/>')
        page.text(36, y, label, 13, TEXT_ITALIC, '#5e5a50')
        page.text(326, y, value, 13, TEXT, INK, 'end')
        y += 26
    draw = random.Random(70 + number)
    profile, height = f'M36 {y + 44}', 0
    for x in range(36, 327, 12):
        bulge = math.sin((x - 36) / 290 * math.pi)
        height = bulge * (14 + 22 * draw.random())
        profile += f'L{x} {n(y + 44 - height)}'
    if y < 500:
        page.add(f'<path fill="#d9e2d4" stroke="#14434a" stroke-width=".9" d="{profile}L326 {y + 44}'
                 'Z"/>')
        page.text(181, y + 60, 'seen from the south, in kind weather', 10.5, TEXT_ITALIC, '#5e5a50',
                  'middle', say=False)
    page.folio(index)
    return page


def map_page(index, number):
    name = ISLANDS[number][0]
    draw = random.Random(400 + 17 * number)
    page = Page(ground=SAND)
    page.define('<clipPath id="m"><path d="M22 22H340V506H22Z"/></clipPath>')
    page.add(f'<path fill="{SEA}" d="M22 22H340V506H22Z"/><g clip-path="url(#m)">')
    grid(page, 22, 22, 318, 484)
    known = facts(number)
    heights = 3 + min(3, int(known['height'].split()[0]) // 55)
    pairs = {'Wick and Tallow': ((150, 190, 70), (214, 344, 62)), 'The Two Aunts': (
        (132, 250, 58), (244, 262, 44))}
    places = pairs.get(name, ((draw.uniform(160, 200), draw.uniform(230, 280),
                               draw.uniform(82, 112)),))
    # The rocks are drawn below the shallows, so that none of them lies on a beach.
    for _ in range(draw.randint(1, 4)):
        x, y = draw.choice(((draw.uniform(40, 80), draw.uniform(60, 480)),
                            (draw.uniform(280, 320), draw.uniform(90, 480)),
                            (draw.uniform(60, 300), draw.uniform(430, 480))))
        island(page, draw, x, y, draw.uniform(6, 17), 2, '')
    for k, (x, y, r) in enumerate(places):
        island(page, draw, x, y, r, heights, known['height'] if k == 0 else '')
    for _ in range(16):
        page.text(draw.uniform(34, 320), draw.choice((draw.uniform(40, 96), draw.uniform(410, 494))),
                  str(draw.randint(3, 48)), 8, TEXT_ITALIC, FOAM, say=False)
    page.add('</g>', '<path d="M22 22H340V506H22Z" fill="none" stroke="#14434a" stroke-width="1.4"/>'
             '<path d="M17 17H345V511H17Z" fill="none" stroke="#14434a" stroke-width=".5"/>')
    page.add(rose(306, 62, 1.1))
    page.add(f'<path d="M40 490h80" stroke="{SAND}" stroke-width="1.2"/><path d="M40 486v8M80 486v8'
             f'M120 486v8" stroke="{SAND}" stroke-width="1"/>')
    page.text(126, 494, '1 km', 10, TEXT, SAND, say=False)
    page.text(22, 536, name, 19, ITALIC, '#14434a')
    page.text(340 - 34, 536, numeral(number + 1), 14, ROMAN, RED, 'end')
    page.folio(index, '#5e5a50')
    return page


def endpaper():
    page = Page(ground=DEEP)
    grid(page, 0, 0, 362, 568)
    for k, (x, y) in enumerate(((70, 90), (262, 160), (120, 280), (286, 372), (84, 452))):
        draw = random.Random(k)
        coast = outline(draw)
        for s in range(6):
            ring = closed([(x + 15 * (s + 1) * a, y + 15 * (s + 1) * b) for a, b in
                           (coast(2 * math.pi * i / 20) for i in range(20))])
            page.add(f'<path d="{ring}" fill="none" stroke="{FOAM}" stroke-opacity=".4" '
                     'stroke-width=".8"/>')
    return page


def plain(index, title, *paragraphs):
    page = Page()
    page.text(36, 92, title, 30, ROMAN, '#14434a')
    page.add('<path d="M36 108H326" stroke="#14434a" stroke-width=".8"/>')
    y = 144
    for text in paragraphs:
        y = page.paragraph(36, y, 288, text, 15.5, 22.5) + 9
    page.folio(index)
    return page


def chart(index):
    """All the islands on one sheet."""
    page = Page(ground=SEA)
    grid(page, 0, 0, 362, 568)
    draw = random.Random(77)
    for k in range(24):
        x, y = 46 + (k % 4) * 84 + draw.uniform(-10, 10), 92 + (k // 4) * 74 + draw.uniform(-8, 8)
        island(page, draw, x, y, draw.uniform(9, 16), 2, '')
        page.text(x, y + 31, numeral(k + 1), 10, TEXT, SAND, 'middle', say=False)
    page.text(36, 46, 'General chart', 24, ITALIC, SAND)
    page.add(rose(312, 40, 1.1))
    page.text(181, 546, 'Distances between islands are given by the weather.', 12.5, TEXT_ITALIC, SAND,
              'middle')
    return page


def gazetteer(index, first, last):
    page = Page()
    page.text(36, 70, 'Gazetteer' if first == 0 else 'Gazetteer, continued', 24, ROMAN, '#14434a')
    page.add('<path d="M36 84H326" stroke="#14434a" stroke-width=".8"/>')
    y = 114
    for number in sorted(range(24), key=lambda k: ISLANDS[k][0].removeprefix('The '))[first:last]:
        name, people, _ = ISLANDS[number]
        page.text(36, y, name.removeprefix('The ') + (', The' if name.startswith('The ') else ''), 15,
                  TEXT)
        page.text(236, y, people if people != '0' else 'nobody', 13, TEXT_ITALIC, '#5e5a50', 'end')
        page.text(286, y, numeral(number + 1), 12, TEXT, RED, 'end')
        page.text(326, y, str(7 + 2 * number), 13, TEXT, INK, 'end')
        y += 34
    page.folio(index)
    return page


def make(root):
    book = Book(root, '02-reading-room/01-an-atlas-of-small-islands', 'An Atlas of Small Islands',
                'Orrin & Dale')
    book.drawn_by_hand()
    book.page(endpaper(), 'Endpaper: contour lines')
    page = Page()
    page.add(rose(181, 150, 3, '#14434a'))
    page.text(181, 282, 'An Atlas of', 26, ROMAN, '#14434a', 'middle')
    page.text(181, 324, 'Small Islands', 40, ROMAN, '#14434a', 'middle')
    page.add(f'<path d="M131 346H231" stroke="{RED}" stroke-width="1.4"/>')
    page.text(181, 376, 'in twenty-four sheets', 17, TEXT_ITALIC, '#5e5a50', 'middle')
    page.text(181, 512, 'Orrin & Dale, chartsellers', 15, TEXT, '#14434a', 'middle')
    book.page(page)
    book.page(plain(
        book.index, 'To the reader',
        'A large map tells you where you are. A map of a small island tells you who is at home.',
        'The sheets that follow were drawn on the spot, which is to say wet. Where two surveys '
        'disagreed we have printed the kinder one. Depths are in fathoms, heights in metres, and '
        'kindness in inhabitants.',
        'None of these islands should be used for navigation. Several of them have asked not to be '
        'used for anything.'))
    book.page(chart(book.index))
    for number in range(24):
        book.page(notes_page(book.index, number))
        book.page(map_page(book.index, number), f'Sheet {numeral(number + 1)}: '
                  f'a map of {ISLANDS[number][0]}')
    book.page(gazetteer(book.index, 0, 12))
    book.page(gazetteer(book.index, 12, 24))
    book.page(plain(
        book.index, 'How to find an island',
        'Leave early. Take a flask, a hat that has been lost before, and a person who does not mind '
        'being wrong.',
        'Keep the coast behind you until it is a line, then until it is an opinion. Birds that know '
        'where they are going are going to an island. Birds that do not are worth following too.',
        'When you smell bread, stop rowing.'))
    page = plain(
        book.index, 'Corrections',
        'Sheet III: for “soup” read “soup, and rolls”. Sheet IX: Tansy is still late. Sheet XVII: we '
        'have heard from Maud, and she was right.',
        'Readers who discover an island are asked to leave it where it is and to write to us.')
    page.add(at(181, 430, '<path d="M-30 0H30L22 14H-22Z" fill="#14434a"/><path d="M-2 -4V-64L28 -8Z" '
                f'fill="{RED}"/><path d="M-6 -8V-52L-26 -8Z" fill="#14434a" opacity=".7"/>'))
    book.page(page)
    page = Page()
    page.lines(181, 236, ['Drawn by hand, twice.', 'Coloured on a Tuesday.', 'Folded against the '
                          'grain', 'by Orrin, and unfolded', 'by Dale.'], 18, 28, TEXT_ITALIC,
               '#14434a')
    page.folio(book.index)
    book.page(page)
    book.page(endpaper(), 'Endpaper: contour lines')
    page = Page(ground=DEEP)
    grid(page, 0, 0, 362, 568)
    page.add(rose(181, 210, 3.2))
    page.lines(181, 360, ['Twenty-four islands,', '2,079 inhabitants,', 'one horse.'], 20, 30,
               TEXT_ITALIC, SAND)
    page.text(181, 536, 'ORRIN & DALE', 11, TEXT, FOAM, 'middle', .18)
    book.page(page)
    total = sum(int(people) for _, people, _ in ISLANDS)
    assert total == PEOPLE, total
    assert book.count == 60, book.count
