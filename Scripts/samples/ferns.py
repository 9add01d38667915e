"""Ferns of Wet Places: forty plates of real ferns, drawn by rules."""
import math
import random

from press import Book, H, INK, ITALIC, Page, ROMAN, TEXT, TEXT_ITALIC, W, at, n

GREEN, RED = '#2f4b34', '#b5352a'
SHADES = ('#35543a', '#3f6b42', '#4c7a45', '#2f5a48', '#56803f')

# name, Latin name, habit, description
PLATES = (
    ('Lady-fern', 'Athyrium filix-femina', 'lace', 'Cut from lace by somebody in no hurry.'),
    ('Male-fern', 'Dryopteris filix-mas', 'lace', 'Stiffer than the lady, and stays greener.'),
    ('Hart’s-tongue', 'Asplenium scolopendrium', 'strap', 'A whole green strap; its back is ruled '
     'like music.'),
    ('Royal fern', 'Osmunda regalis', 'royal', 'Taller than you are, with a rusty crown.'),
    ('Marsh fern', 'Thelypteris palustris', 'comb', 'Stands alone in the wet, never in a tuft.'),
    ('Hard-fern', 'Blechnum spicant', 'comb', 'Two sorts of frond: one to lie, one to stand.'),
    ('Soft shield-fern', 'Polystichum setiferum', 'lace', 'Each small leaf wears a mitten thumb.'),
    ('Hard shield-fern', 'Polystichum aculeatum', 'lace', 'As the last, but with the gloves off.'),
    ('Holly-fern', 'Polystichum lonchitis', 'comb', 'Prickly, and fond of high cold ledges.'),
    ('Maidenhair fern', 'Adiantum capillus-veneris', 'fan', 'Green fans on black wire. Likes drips.'),
    ('Maidenhair spleenwort', 'Asplenium trichomanes', 'beads', 'Buttons down a dark thread.'),
    ('Green spleenwort', 'Asplenium viride', 'beads', 'The same buttons on a green thread.'),
    ('Black spleenwort', 'Asplenium adiantum-nigrum', 'lace', 'Glossy triangles in old mortar.'),
    ('Sea spleenwort', 'Asplenium marinum', 'comb', 'Only where the spray can reach it.'),
    ('Wall-rue', 'Asplenium ruta-muraria', 'fan', 'The smallest here. Look at any church wall.'),
    ('Rustyback', 'Asplenium ceterach', 'lobes', 'Turn it over: brown scales, like a small roof.'),
    ('Forked spleenwort', 'Asplenium septentrionale', 'fork', 'Hardly a fern; grass with an idea.'),
    ('Common polypody', 'Polypodium vulgare', 'lobes', 'A ladder on an oak branch.'),
    ('Southern polypody', 'Polypodium cambricum', 'lobes', 'Wider, later, fond of limestone.'),
    ('Oak fern', 'Gymnocarpium dryopteris', 'triangle', 'Three green triangles held out flat.'),
    ('Limestone fern', 'Gymnocarpium robertianum', 'triangle', 'Smells of apples when brushed.'),
    ('Beech fern', 'Phegopteris connectilis', 'comb', 'Its lowest pair of leaflets points down.'),
    ('Lemon-scented fern', 'Oreopteris limbosperma', 'comb', 'Run a hand along it and you will see.'),
    ('Brittle bladder-fern', 'Cystopteris fragilis', 'lace', 'Snaps like a thin glass rod.'),
    ('Mountain bladder-fern', 'Cystopteris montana', 'triangle', 'On wet ledges nobody can reach.'),
    ('Broad buckler-fern', 'Dryopteris dilatata', 'triangle', 'Dark stripe in every scale.'),
    ('Narrow buckler-fern', 'Dryopteris carthusiana', 'lace', 'Plain pale scales; pale in all ways.'),
    ('Hay-scented buckler-fern', 'Dryopteris aemula', 'triangle', 'Dried, it smells of a good June.'),
    ('Crested buckler-fern', 'Dryopteris cristata', 'comb', 'Leaflets turn like venetian blinds.'),
    ('Scaly male-fern', 'Dryopteris affinis', 'lace', 'Golden fur, and a black spot at each joint.'),
    ('Bracken', 'Pteridium aquilinum', 'triangle', 'You know this one. It has the whole hill.'),
    ('Parsley fern', 'Cryptogramma crispa', 'fan', 'Garnish for a scree.'),
    ('Tunbridge filmy-fern', 'Hymenophyllum tunbrigense', 'fork', 'One cell thick: a wet shadow.'),
    ('Wilson’s filmy-fern', 'Hymenophyllum wilsonii', 'fork', 'As the last, combed one way.'),
    ('Killarney fern', 'Trichomanes speciosum', 'lace', 'Behind waterfalls. Do not tell anyone.'),
    ('Adder’s-tongue', 'Ophioglossum vulgatum', 'tongue', 'One leaf, one spike, many superstitions.'),
    ('Moonwort', 'Botrychium lunaria', 'moon', 'Said to open locks. It has not opened ours.'),
    ('Pillwort', 'Pilularia globulifera', 'pill', 'Grass with small round luggage.'),
    ('Ostrich fern', 'Matteuccia struthiopteris', 'lace', 'A shuttlecock as tall as a child.'),
    ('Water fern', 'Azolla filiculoides', 'float', 'Floats. Reddens. Covers the pond by Friday.'),
)

LEAFLET = 'M0 0C4 -7 16 -8 24 0C16 8 4 7 0 0Z'


def lobe(page, habit):
    """The small leaf that a frond repeats, defined once."""
    shapes = {
        'comb': 'M0 -3C20 -7 56 -6 78 0C56 6 20 7 0 3Z',
        'lobes': 'M0 -9C22 -10 50 -9 60 0C50 9 22 10 0 9Z',
        'beads': 'M0 0C2 -10 16 -12 22 -3C24 6 8 12 0 0Z',
        'fan': 'M0 0L16 -15Q22 -12 24 -5Q28 0 24 5Q22 12 16 15Z',
    }
    if habit in shapes:
        page.define(f'<path id="p" d="{shapes[habit]}"/>')
        return
    leaves = ''.join(
        f'M{n(x)} 0q{n(s * .5)} {n(-s * .95)} {n(s * .9)} {n(-s * 1.5)}q{n(s * .55)} {n(s * .6)} '
        f'{n(-s * .2)} {n(s * 1.5)}zM{n(x)} 0q{n(s * .5)} {n(s * .95)} {n(s * .9)} {n(s * 1.5)}'
        f'q{n(s * .55)} {n(-s * .6)} {n(-s * .2)} {n(-s * 1.5)}z'
        for x, s in ((6 + 6.4 * i, 8.4 * (1 - i / 13)) for i in range(12)))
    page.define(f'<path id="p" d="M0 -.8L82 0L0 .8Z{leaves}"/>')


def spine(x0, y0, bend, tall, t):
    """A point on the midrib and its direction: a parabola that leans over."""
    x, y = x0 + bend * t * t, y0 - tall * t
    return x, y, math.degrees(math.atan2(-tall, 2 * bend * t + .001))


def frond(page, x, y, tall, bend, habit, colour, pairs=17, spread=1.0, bare=.16):
    x1, y1, _ = spine(x, y, bend, tall, 1)
    page.add(f'<path d="M{n(x)} {n(y)}Q{n(x)} {n(y - tall / 2)} {n(x1)} {n(y1)}" fill="none" '
             f'stroke="{"#2a1c14" if habit in ("beads", "fan") else colour}" stroke-width="'
             f'{1.2 if habit in ("beads", "fan") else 1.8}" stroke-linecap="round"/>')
    uses = ''
    for i in range(pairs):
        t = bare + (1 - bare) * i / pairs
        px, py, angle = spine(x, y, bend, tall, t)
        share = (i / pairs)
        profile = {'triangle': 1.15 * (1 - share) + .06, 'beads': .62 + .1 * (1 - share),
                   'fan': .9 - .3 * share}.get(
                       habit, math.sin(math.pi * (.18 + .8 * share)) ** .8)
        size = spread * profile * tall / 330
        lean = 62 - 18 * share
        for side in (-1, 1):
            uses += (f'<use href="#p" transform="translate({n(px)} {n(py)}) rotate('
                     f'{n(angle + side * lean)}) scale({size:.2f} {side * size:.2f})"/>')
    page.add(f'<g fill="{colour}">{uses}</g>')


def crozier(x, y, size, colour, turn=1):
    points = [(x, y)]
    for i in range(26):
        a = -math.pi / 2 + turn * i * .34
        r = size * (1 - i / 27) * .34
        points.append((points[-1][0] + math.cos(a) * r * (2.3 if i < 3 else .8),
                       points[-1][1] + math.sin(a) * r * (2.3 if i < 3 else .8)))
    return (f'<path fill="none" stroke="{colour}" stroke-width="3.4" stroke-linecap="round" d="M'
            + 'L'.join(f'{n(a)} {n(b)}' for a, b in points) + '"/>')


def strap(x, y, tall, bend, wide, colour):
    tip = f'{n(x + bend)} {n(y - tall)}'
    return (f'<path fill="{colour}" d="M{n(x)} {n(y)}C{n(x - wide)} {n(y - tall * .3)} '
            f'{n(x - wide + bend * .6)} {n(y - tall * .8)} {tip}C{n(x + wide + bend * .7)} '
            f'{n(y - tall * .75)} {n(x + wide)} {n(y - tall * .3)} {n(x)} {n(y)}Z"/><path '
            f'stroke="#dfe6c4" stroke-width="1" fill="none" d="M{n(x)} {n(y)}Q{n(x + bend * .2)} '
            f'{n(y - tall * .6)} {tip}"/>')


def specimen(page, habit, draw):
    colour = draw.choice(SHADES)
    second = draw.choice([s for s in SHADES if s != colour])
    base, lean = 448, draw.uniform(-46, 46)
    lobe(page, habit)
    if habit == 'strap':
        for bend, tall, x in ((-86, 240, 168), (70, 280, 190), (-20, 330, 180), (110, 190, 198),
                              (-120, 160, 164)):
            page.add(strap(x, base, tall, bend, 22, draw.choice(SHADES)))
    elif habit in ('comb', 'lace', 'lobes'):
        frond(page, 181 - lean * .6, base, 360, lean, habit, colour,
              {'comb': 22, 'lace': 19, 'lobes': 13}[habit], 1.12 if habit != 'lobes' else 1.25)
        frond(page, 96 if lean > 0 else 268, base, draw.uniform(150, 200),
              -lean * .5, habit, second, 15, 1.0)
        page.add(crozier(262 if lean > 0 else 104, base, draw.uniform(30, 40), second,
                         1 if lean > 0 else -1))
    elif habit == 'royal':
        for bend, tall in ((-110, 250), (120, 270), (8, 350)):
            frond(page, 181 + bend * .1, base, tall, bend, 'royal', colour, 11, 1.2, .3)
        page.add('<g fill="#9a5a2a">' + ''.join(
            f'<ellipse cx="{n(190 + draw.uniform(-1, 1) * (8 + 14 * (i % 9) / 9))}" '
            f'cy="{n(88 + 4.400 * (i % 12))}" rx="4" ry="5.500"/>' for i in range(40)) + '</g>')
    elif habit == 'triangle':
        frond(page, 181, base, 330, lean * .5, 'triangle', colour, 13, 1.5, .36)
        page.add(crozier(98, base, 34, second, -1))
    elif habit in ('beads', 'fan'):
        for bend, tall in ((-96, 260), (-34, 340), (40, 320), (104, 230), (-130, 160)):
            frond(page, 181 + bend * .12, base, tall, bend, habit, draw.choice(SHADES),
                  17 if habit == 'beads' else 9, 1.0 if habit == 'beads' else 1.4, .14)
    elif habit == 'fork':
        for k in range(9):
            x, tall, bend = 118 + 16 * k, draw.uniform(130, 260), (k - 4) * 16
            top = base - tall
            page.add(f'<path fill="none" stroke="{draw.choice(SHADES)}" stroke-width="4" '
                     f'stroke-linecap="round" d="M{x} {base}Q{x} {n(base - tall * .6)} {x + bend} '
                     f'{n(top)}l-9 -34M{x + bend} {n(top)}l13 -28M{n(x + bend * .5)} '
                     f'{n(base - tall * .72)}l{12 if k % 2 else -12} -24"/>')
    elif habit == 'tongue':
        page.add(strap(176, base, 260, -30, 60, colour), '<path stroke="#7d8a4a" stroke-width="4" '
                 'stroke-linecap="round" d="M180 400Q196 240 210 120"/><path stroke="#c7b05a" '
                 'stroke-width="9" stroke-linecap="round" stroke-dasharray="2 9" d="M201 186L211 '
                 '112"/>')
    elif habit == 'moon':
        page.add(f'<path stroke="{colour}" stroke-width="3.500" fill="none" d="M181 {base}Q181 260 '
                 '214 92"/>')
        for i in range(6):
            y = 330 - 34 * i
            for side in (-1, 1):
                page.add(at(182 + i * 2, y, f'<path fill="{colour}" d="M0 0C6 -28 34 -38 54 -20C40 -20 '
                            f'36 4 46 14C30 20 6 16 0 0Z"/>', f'{side * (1.1 - .1 * i):.2f} '
                            f'{1.1 - .1 * i:.2f}'))
        page.add('<g fill="#b98a3c">' + ''.join(
            f'<circle cx="{n(206 + draw.uniform(-16, 16))}" cy="{n(draw.uniform(82, 136))}" r="4"/>'
            for _ in range(28)) + '</g>')
    elif habit == 'pill':
        for k in range(22):
            x = 74 + 10 * k
            page.add(f'<path fill="none" stroke="{draw.choice(SHADES)}" stroke-width="2.200" '
                     f'd="M{x} {base}q{n(draw.uniform(-20, 20))} -90 {n(draw.uniform(-30, 30))} '
                     f'{n(-draw.uniform(120, 240))}"/>')
        page.add('<g fill="#6a4a2c">' + ''.join(
            f'<circle cx="{n(80 + 24 * k)}" cy="{base - 3}" r="7"/>' for k in range(9)) + '</g>')
    elif habit == 'float':
        page.add('<path fill="#cfdcd6" d="M46 210H316V448H46Z"/>')
        for _ in range(46):
            c = draw.choice(SHADES + ('#a2503c', '#8a4234'))
            page.add(at(draw.uniform(70, 292), draw.uniform(232, 428), f'<path fill="{c}" d="M0 0C-4 '
                        '-14 6 -18 8 -8C18 -16 24 -6 14 -1C26 2 22 14 10 8C8 18 -4 14 0 0Z"/>',
                        draw.uniform(.8, 1.5), draw.uniform(0, 360)))
    ground = f'M66 {base}q58 -5 116 0t116 0'
    page.add(f'<path d="{ground}" stroke="#8a7a52" stroke-width="1.400" fill="none"/>')


def plate(index, number):
    name, latin, habit, remark = PLATES[number]
    page = Page()
    page.add(f'<rect x="30" y="34" width="302" height="440" fill="none" stroke="{GREEN}" '
             f'stroke-width=".7"/><rect x="33" y="37" width="296" height="434" fill="none" '
             f'stroke="{GREEN}" stroke-width=".35"/>')
    specimen(page, habit, random.Random(50 + number))
    page.text(44, 56, f'PLATE {number + 1}', 9.5, TEXT, '#5e5a50', tracking=.14)
    page.text(181, 502, name, 22, ROMAN, INK, 'middle')
    page.text(181, 522, latin, 13.5, TEXT_ITALIC, GREEN, 'middle')
    page.text(181, 545, remark, 13, TEXT, '#5e5a50', 'middle')
    page.folio(index)
    return page


def make(root):
    book = Book(root, '02-reading-room/02-ferns-of-wet-places', 'Ferns of Wet Places', 'E. Wren')
    book.drawn_by_hand()
    end = Page(ground='#dfe4cf')
    draw = random.Random(3)
    end.define(f'<path id="e" d="{LEAFLET}"/>')
    end.add('<g fill="#a9b894">' + ''.join(
        f'<use href="#e" transform="translate({12 + 30 * (i % 12)} {16 + 26 * (i // 12)}) '
        f'rotate({draw.randint(0, 359)})"/>' for i in range(264)) + '</g>')
    book.page(end, 'Endpaper: leaflets')
    page = Page()
    page.text(181, 176, 'Ferns', 54, ROMAN, GREEN, 'middle')
    page.text(181, 206, 'of wet places', 22, ITALIC, GREEN, 'middle')
    page.add(crozier(176, 340, 44, '#3f6b42'))
    page.text(181, 420, 'forty plates, drawn from the plant', 15, TEXT_ITALIC, '#5e5a50', 'middle')
    page.text(181, 500, 'E. Wren', 20, ROMAN, INK, 'middle')
    page.text(181, 524, 'Herbarium Pocket Guides No. 3', 11.5, TEXT, RED, 'middle')
    book.page(page)
    page = Page()
    page.text(36, 92, 'Before you kneel', 27, ROMAN, GREEN)
    y = 128
    for text in ('A fern has no flowers and does not miss them. It keeps its spores on the back of '
                 'the leaf, in dots, commas or ruled lines, so turn a frond over before you name it, '
                 'and turn it back afterwards.',
                 'Young fronds come up rolled as tightly as a watch spring. They open from the foot '
                 'to the tip, at about the speed of a slow reader.',
                 'Everything in this book likes water more than you do. Wear the other shoes. Take '
                 'nothing home but mud.'):
        y = page.paragraph(36, y, 290, text, 16, 23) + 10
    page.folio(book.index)
    book.page(page)
    for number in range(len(PLATES)):
        book.page(plate(book.index, number))
    page = Page()
    page.text(36, 78, 'Where they are hiding', 25, ROMAN, GREEN)
    y = 112
    for place, names in (('In walls', 'wall-rue, rustyback, black spleenwort, the maidenhairs'),
                         ('In bogs', 'marsh fern, crested buckler-fern, royal fern, pillwort'),
                         ('On trees', 'common polypody, and sometimes by mistake the others'),
                         ('Under water', 'only when it rains'),
                         ('On the water', 'water fern, until somebody brings a rake'),
                         ('In the dark', 'Killarney fern, the filmy-ferns'),
                         ('Everywhere', 'bracken')):
        page.text(36, y, place, 15, TEXT_ITALIC, RED)
        y = page.paragraph(136, y, 190, names, 15, 21) + 14
    page.folio(book.index)
    book.page(page)
    back = Page(ground='#d9d3b4')
    back.add(crozier(172, 300, 60, GREEN))
    back.lines(181, 400, ['If found, please return', 'to the nearest ditch.'], 17, 26, TEXT_ITALIC,
               GREEN)
    book.page(back)
    assert len(PLATES) == 40 and book.count == 46, book.count
