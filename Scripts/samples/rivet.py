"""Rivet and the Clockwork Orchard: a comic of eight pages."""
import math

from press import BOLD, Book, H, Page, W, at, n

INKY, YELLOW, RED, TEAL, STEEL = '#17151a', '#ffc531', '#e23d28', '#2f8f86', '#f2f0e6'


def robot(eyes='ahead', mouth='teeth', sprout=True):
    """The head and shoulders of the cover, about 200 wide, centred on the chin's middle."""
    dx, dy = {'ahead': (5, 4), 'up': (2, -9), 'down': (0, 10), 'left': (-9, 2), 'right': (10, 2),
              'shut': (0, 0)}[eyes]
    pupils = ''.join(f'<circle cx="{x + dx}" cy="{-80 + dy}" r="12" fill="{INKY}"/><circle '
                     f'cx="{x + dx + 4}" cy="{-85 + dy}" r="4" fill="#fff"/>' for x in (-36, 36))
    if eyes == 'shut':
        pupils = (f'<path d="M-58 -80q22 16 44 0M14 -80q22 16 44 0" stroke="{INKY}" stroke-width="6" '
                  'fill="none"/>')
    mouths = {
        'teeth': f'<path d="M-46 -20h92v26h-92z" fill="{INKY}"/><g fill="{STEEL}">' + ''.join(
            f'<rect x="{-41 + 17.2 * i:.1f}" y="-16" width="13" height="18"/>' for i in range(5))
        + '</g>',
        'oh': f'<ellipse cx="0" cy="-8" rx="17" ry="18" fill="{INKY}"/>',
        'smile': f'<path d="M-44 -22Q0 26 44 -22Z" fill="{INKY}"/>',
        'flat': f'<path d="M-34 -8H34" stroke="{INKY}" stroke-width="6" stroke-linecap="round"/>',
    }
    leaf = ('<path d="M0 -152V-194"/><path fill="#3d9b46" d="M0 -188C-22 -188 -32 -206 -30 -224C-10 '
            '-224 2 -210 0 -188ZM0 -194C0 -220 16 -234 38 -234C40 -212 24 -194 0 -194Z"/>'
            if sprout else '<path d="M0 -152V-176"/><circle cx="0" cy="-182" r="7" fill="#e23d28"/>')
    return (f'<g stroke="{INKY}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round">'
            f'<path fill="{TEAL}" d="M-112 148C-110 88 -78 58 -32 54H32C80 58 110 88 112 148Z"/>'
            '<path fill="#d9dde0" d="M-26 26h52v34h-52z"/><path d="M-24 38h48M-24 48h48" '
            f'stroke-width="3"/><rect x="-84" y="-152" width="168" height="182" rx="30" '
            f'fill="{STEEL}"/><path d="M-84 -90h-18v44h18M84 -90h18v44h-18" fill="{RED}"/>{leaf}'
            f'<circle cx="-36" cy="-82" r="27" fill="{YELLOW}"/><circle cx="36" cy="-82" r="27" '
            f'fill="{YELLOW}"/></g>{pupils}{mouths[mouth]}<g fill="#8d979c" stroke="{INKY}" '
            'stroke-width="2"><circle cx="-66" cy="-132" r="4.5"/><circle cx="66" cy="-132" r="4.5"/>'
            '<circle cx="-66" cy="10" r="4.5"/><circle cx="66" cy="10" r="4.5"/></g>')


def rays(cx, cy, light='#ffd65f'):
    wedge = ''.join(
        f'M{cx} {cy}L{n(cx + 700 * math.cos(a))} {n(cy + 700 * math.sin(a))}L'
        f'{n(cx + 700 * math.cos(a + .17))} {n(cy + 700 * math.sin(a + .17))}Z'
        for a in (i * math.pi / 9 for i in range(18)))
    return f'<path d="{wedge}" fill="{light}"/>'


def gear(r, teeth, fill, hole=.35):
    points = ''
    for i in range(teeth * 4):
        a = 2 * math.pi * (i - .5) / (teeth * 4)
        q = r if i % 4 < 2 else r * .8
        points += f'{"M" if i == 0 else "L"}{n(q * math.cos(a))} {n(q * math.sin(a))}'
    return (f'<path fill="{fill}" stroke="{INKY}" stroke-width="3" stroke-linejoin="round" '
            f'd="{points}Z"/><circle r="{n(r * hole)}" fill="{INKY}"/>')


def tree(fruit=True, wound=True):
    crown = ''.join(at(x, y, gear(r, 10, c)) for x, y, r, c in (
        (-44, -130, 36, '#c9a13a'), (4, -164, 44, '#d98a3a'), (48, -124, 34, '#c9a13a'),
        (0, -112, 30, '#8fae5c')))
    apples = ''.join(f'<circle cx="{x}" cy="{y}" r="9" fill="{RED}" stroke="{INKY}" '
                     'stroke-width="3"/>' for x, y in ((-60, -92), (34, -86), (64, -98))) if fruit \
        else ''
    key = (f'<path d="M-14 -40h-26M-40 -40m-11 -9a9 9 0 1 1 0 18a9 9 0 1 1 0 -18" fill="none" '
           f'stroke="{INKY}" stroke-width="6"/>') if wound else ''
    return (f'<path fill="#8a5a34" stroke="{INKY}" stroke-width="4" d="M-14 0L-8 -120H8L14 0Z"/>'
            f'{key}{crown}{apples}')


class Comic:
    """A page of panels with balloons."""

    def __init__(self):
        self.page = Page(ground='#fff8e6')
        self.count = 0

    def panel(self, x, y, wide, tall, ground, *shapes):
        self.count += 1
        self.page.define(f'<clipPath id="c{self.count}"><path d="M{x} {y}h{wide}v{tall}h{-wide}z"/>'
                         '</clipPath>')
        self.page.add(f'<g clip-path="url(#c{self.count})"><rect x="{x}" y="{y}" width="{wide}" '
                      f'height="{tall}" fill="{ground}"/>' + ''.join(shapes) + '</g>'
                      f'<path d="M{x} {y}h{wide}v{tall}h{-wide}z" fill="none" stroke="{INKY}" '
                      'stroke-width="3.5"/>')
        return self

    def caption(self, x, y, text):
        wide = BOLD.width(text, 11) + 16
        self.page.add(f'<path d="M{x} {y}h{n(wide)}v21h{n(-wide)}z" fill="{YELLOW}" stroke="{INKY}" '
                      'stroke-width="2"/>')
        self.page.text(x + 8, y + 14.5, text, 11, BOLD, INKY)
        return self

    def balloon(self, x, y, lines, tail):
        wide = max(BOLD.width(line, 11.5) for line in lines) / 2 + 17
        tall = len(lines) * 7.5 + 12
        tx, ty = tail
        side = 9 if ty > y else -9
        self.page.add(f'<g stroke="{INKY}" stroke-width="2.5" fill="#fff" stroke-linejoin="round">'
                      f'<rect x="{n(x - wide)}" y="{n(y - tall)}" width="{n(2 * wide)}" '
                      f'height="{n(2 * tall)}" rx="{n(min(tall, 19))}"/><path d="M{n(x - 8)} '
                      f'{n(y + (tall if side > 0 else -tall))}L{tx} {ty}L{n(x + 9)} '
                      f'{n(y + (tall if side > 0 else -tall))}"/></g><path fill="#fff" d="M{n(x - 7)} '
                      f'{n(y + (tall if side > 0 else -tall) - side * .35)}h15v{n(side * .6)}h-15z"/>')
        top = y - (len(lines) - 1) * 7.5 + 4
        for line in lines:
            self.page.text(x, top, line, 11.5, BOLD, INKY, 'middle')
            top += 15
        return self

    def bang(self, x, y, text, size=40, fill=RED, turn=-8):
        self.page.add(f'<g transform="rotate({turn} {x} {y})">')
        self.page.text(x + 2.5, y + 2.5, text, size, BOLD, INKY, 'middle', say=False)
        self.page.text(x, y, text, size, BOLD, fill, 'middle')
        self.page.add('</g>')
        return self


def hill(y, fill='#8fae5c'):
    return f'<path fill="{fill}" stroke="{INKY}" stroke-width="3" d="M-10 {y}C90 {y - 34} 250 ' \
           f'{y - 34} 372 {y}V600H-10Z"/>'


def make(root):
    book = Book(root, '01-bedtime/02-rivet', 'Rivet and the Clockwork Orchard', 'Gus Tindall')
    book.drawn_by_hand()

    c = Comic()
    c.panel(18, 18, 326, 236, '#9fd6e0', hill(220), *(
        at(x, 232, tree(), s) for x, s in ((66, .72), (300, .74), (186, .62))))
    c.caption(18, 18, 'Behind the tin works there is an orchard.')
    c.panel(18, 266, 156, 284, '#ffdf7e', rays(96, 400), at(96, 462, robot('up', 'smile'), .52))
    c.balloon(96, 306, ['Every apple', 'ticks!'], (100, 350))
    c.panel(188, 266, 156, 284, '#f2e3c0', at(266, 520, tree(), 1.1))
    c.caption(188, 528, 'Until Thursday.')
    book.page(c.page)

    c = Comic()
    c.panel(18, 18, 326, 180, '#b7c4cc', hill(176, '#7d8f6a'), at(90, 190, tree(False, False), .66),
            at(270, 190, tree(False, False), .66))
    c.bang(181, 112, 'tick … t', 34, STEEL, 0)
    c.panel(18, 210, 200, 166, '#d9e4e8', at(118, 348, robot('right', 'flat'), .5))
    c.balloon(82, 236, ['Somebody has', 'taken the keys.'], (104, 268))
    c.panel(230, 210, 114, 166, YELLOW, rays(287, 300), at(287, 300, gear(34, 9, RED)))
    c.panel(18, 388, 326, 162, '#2c3350', f'<path fill="{INKY}" d="M222 560C222 470 250 436 290 436'
            'C330 436 344 480 344 560Z"/><circle cx="276" cy="474" r="6" fill="#ffd98a"/><circle '
            'cx="302" cy="474" r="6" fill="#ffd98a"/>',
            at(110, 520, robot('right', 'oh'), .44))
    c.balloon(246, 412, ['Caw.'], (276, 446))
    book.page(c.page)

    c = Comic()
    c.panel(18, 18, 326, 300, '#ffb347', rays(181, 200, '#ffc877'),
            f'<g transform="translate(186 206)"><path fill="{INKY}" d="M-96 30C-70 -50 0 -76 60 -50'
            'C92 -60 104 -40 98 -22L136 -10L96 4C80 56 -10 78 -60 60L-124 76Z"/><path fill="#fff" d="M-30 34C-6 2 44 0 74 16C56 '
            '56 -6 62 -30 34Z"/><path fill="#3a5f8a" d="M-60 34L-124 76L-84 26Z"/><circle cx="66" '
            'cy="-24" r="9" fill="#fff"/><circle cx="68" cy="-24" r="4"/>'
            '<path d="M-20 62V100M14 60V98" stroke="#e5843c" stroke-width="6"/></g>',
            at(316, 212, '<path d="M0 -12v30M0 18h8M0 10h6" stroke="#c9a13a" stroke-width="5" '
               'fill="none"/><circle cy="-20" r="9" fill="none" stroke="#c9a13a" stroke-width="5"/>'))
    c.bang(150, 86, 'A MAGPIE!', 44)
    c.panel(18, 330, 156, 220, '#9fd6e0', at(96, 488, robot('ahead', 'teeth'), .5))
    c.balloon(96, 358, ['Those are', 'not yours.'], (98, 392))
    c.panel(188, 330, 156, 220, '#f2e3c0', f'<path fill="{INKY}" d="M200 560C210 470 250 450 300 460'
            'L360 480V560Z"/><circle cx="262" cy="488" r="8" fill="#fff"/><circle cx="259" cy="490" '
            'r="4"/>')
    c.balloon(266, 372, ['They shine.', 'I get cold', 'at night.'], (262, 470))
    book.page(c.page)

    c = Comic()
    c.panel(18, 18, 326, 150, '#cfe0c4', at(181, 150, robot('up', 'flat'), .5))
    c.caption(18, 18, 'Rivet thinks. It takes eleven cogs.')
    c.panel(18, 180, 326, 170, '#3a3f66', *(at(60 + 60 * i, 264 + (18 if i % 2 else -10), gear(
        34, 10, ('#c9a13a', RED, TEAL)[i % 3])) for i in range(5)))
    c.bang(181, 276, 'WHIRR', 52, YELLOW)
    c.panel(18, 362, 326, 188, '#ffdf7e', rays(90, 480), at(90, 512, robot('right', 'smile'), .46),
            f'<path fill="{INKY}" d="M240 560C246 486 276 466 320 474L360 490V560Z"/><circle cx="286" '
            'cy="500" r="7" fill="#fff"/><circle cx="283" cy="501" r="3.500"/>')
    c.balloon(206, 400, ['I have a warm chest', 'and no birds in it.'], (128, 452))
    book.page(c.page)

    c = Comic()
    c.panel(18, 18, 326, 330, '#f7d9a0', rays(181, 190, '#fbe6bf'), at(181, 236, robot(
        'down', 'smile'), 1), f'<g transform="translate(181 336)"><path fill="{INKY}" d="M-40 20C-40 '
        '-10 -20 -24 0 -24C20 -24 40 -10 40 20Z"/><circle cx="10" cy="-6" r="5" fill="#fff"/><path '
        'd="M20 -4l18 4l-18 4z" fill="#e5843c"/></g>')
    c.balloon(280, 60, ['Oh. It hums', 'in here.'], (214, 318))
    c.panel(18, 360, 156, 190, '#9fd6e0', hill(540), at(96, 540, tree(False, True), .84))
    c.bang(100, 396, 'CLICK', 30, YELLOW)
    c.panel(188, 360, 156, 190, '#9fd6e0', hill(540), at(266, 540, tree(True, True), .84))
    c.bang(270, 396, 'TICK!', 32)
    book.page(c.page)

    c = Comic()
    c.panel(18, 18, 326, 532, '#2c3350', '<circle cx="272" cy="104" r="44" fill="#f6e6b6"/>', hill(
        430, '#46603f'), at(78, 446, tree(), .9), at(296, 440, tree(), .8),
        at(181, 492, robot('shut', 'smile'), .56))
    c.caption(18, 18, 'That night every apple told the time,')
    c.caption(140, 529, 'and every one was slightly wrong.')
    book.page(c.page)

    back = Page(ground=YELLOW)
    back.add(rays(181, 300), at(181, 330, gear(110, 14, RED, .5)), at(181, 348, robot('ahead', 'teeth'),
                                                                   .42))
    back.text(W / 2, 116, 'NEXT MONTH', 20, BOLD, INKY, 'middle', .08)
    back.text(W / 2, 150, 'Rivet and the Tin Tide', 24, BOLD, RED, 'middle')
    back.text(W / 2, 520, 'Keep away from damp', 13, BOLD, INKY, 'middle')
    book.page(back)
    assert book.count == 8, book.count
