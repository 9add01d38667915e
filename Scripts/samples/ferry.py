"""The Night Ferry: thirty-two pages, words on the left, the crossing on the right."""
import math
import random

from press import (Book, H, INK, ITALIC, Page, ROMAN, TEXT, TEXT_ITALIC, W, at, n, star_field,
                   wave)

NAVY, CREAM, GOLD, CORAL = '#0c1a28', '#f3e6c2', '#ffd98a', '#d8553c'
INDIGO = '#23304a'


def owl(scale=1, eyes='open', x=0, y=0):
    lids = ('<circle cx="-11" cy="-16" r="10.5" fill="#f6ecd0"/><circle cx="11" cy="-16" r="10.5" '
            'fill="#f6ecd0"/>')
    if eyes == 'open':
        lids += ('<circle cx="-9" cy="-15" r="5" fill="#16151c"/><circle cx="9" cy="-15" r="5" '
                 'fill="#16151c"/>')
    else:
        lids += ('<path d="M-18 -16q7 6 14 0M4 -16q7 6 14 0" fill="none" stroke="#16151c" '
                 'stroke-width="2.2" stroke-linecap="round"/>')
    return at(x, y, '<path fill="#2b2a33" d="M0 -40C22 -40 28 -20 28 4C28 30 14 42 0 42C-14 42 -28 '
              '30 -28 4C-28 -20 -22 -40 0 -40Z"/><path fill="#2b2a33" d="M-25 -22L-22 -48L-6 -36Z"/>'
              '<path fill="#2b2a33" d="M25 -22L22 -48L6 -36Z"/>'
              '<path fill="#d9c79b" d="M0 -4C14 -4 18 8 18 18C18 32 10 38 0 38C-10 38 -18 32 -18 '
              f'18C-18 8 -14 -4 0 -4Z"/>{lids}<path fill="#d8793c" d="M-4 -8L4 -8L0 2Z"/>'
              '<path stroke="#2b2a33" stroke-width="1.5" fill="none" d="M-9 10q4 5 8 0M1 10q4 5 8 '
              '0M-5 19q4 5 8 0M-12 22q4 5 8 0M5 22q4 5 8 0M-8 30q4 5 8 0M1 30q4 5 8 0"/>', scale)


def ferry(dark=NAVY, red=CORAL, light='#f0e4c8', lamp=GOLD, crew=True):
    windows = ''.join(f'<rect x="{x}" y="-19" width="9" height="11" rx="1.5"/>'
                      for x in range(-52, 29, 16))
    ports = ''.join(f'<circle cx="{x}" cy="-36" r="4.2"/>' for x in (-26, -9, 8))
    people = (f'<g fill="none" stroke="{dark}" stroke-width="2.4" stroke-linecap="round">'
              '<path d="M68 -2V-16M72 -3V-16"/><path stroke-width="7" d="M62 -18C66 -24 74 -24 77 '
              '-19"/><path stroke-width="3" d="M76 -20C84 -26 74 -34 80 -40"/><path '
              f'stroke-width="2" d="M80 -40L92 -37"/></g><g fill="{dark}"><path d="M-90 0C-94 -22 '
              '-86 -30 -80 -30C-72 -30 -66 -20 -69 0Z"/><circle cx="-79" cy="-36" r="9"/><circle '
              'cx="-86" cy="-43" r="3.6"/><circle cx="-72" cy="-43" r="3.6"/></g>') if crew else ''
    return (f'<path fill="{dark}" d="M-96 0C-92 22 -80 34 -66 36L62 36C82 34 96 18 104 -6L60 0Z"/>'
            f'<path fill="{red}" d="M-93 12C-91 16 -89 19 -88 21L85 21C89 17 92 13 94 10Z"/>'
            f'<path fill="{light}" d="M-64 0L-60 -26L44 -26L50 0ZM-40 -26L-37 -46L22 -46L26 -26Z"/>'
            f'<path fill="{dark}" d="M-66 -29H52V-25H-66ZM-44 -49H30V-45H-44Z"/>'
            f'<path fill="{red}" d="M-18 -49L-15 -78L4 -78L7 -49Z"/>'
            f'<path fill="{dark}" d="M-15.6 -72L-15 -80H4L4.6 -72Z"/>'
            f'<g fill="{lamp}">{windows}{ports}</g>'
            f'<path stroke="{dark}" stroke-width="2" d="M84 -2V-46M50 -26L84 -44" fill="none"/>'
            f'<circle cx="84" cy="-48" r="4" fill="{lamp}"/>{people}')


def bear(fill, cello=None):
    """Sitting, facing right, feet on the ground line; the cello leans on the shoulder."""
    body = (f'<g fill="{fill}"><path d="M-34 0C-44 -50 -26 -84 0 -84C28 -84 40 -50 32 0Z"/>'
            '<circle cx="2" cy="-98" r="25"/><circle cx="-16" cy="-118" r="9.5"/><circle cx="20" '
            'cy="-118" r="9.5"/><path d="M16 -100h14a8 8 0 0 1 0 15h-14z"/><ellipse cx="22" cy="-3" '
            'rx="24" ry="9"/></g><circle cx="10" cy="-102" r="2.2" fill="#f6ecd0"/>')
    if cello:
        body += at(34, -6, f'<path fill="{cello}" d="M0 0C-19 0 -23 -18 -15 -29C-11 -35 -13 -39 -15 '
                   '-43C-20 -55 -12 -66 0 -66C12 -66 20 -55 15 -43C13 -39 11 -35 15 -29C23 -18 19 '
                   '0 0 0Z"/><path d="M-2.4 -62h4.8v-52h-4.8z" fill="#3a1c10"/><path d="M0 -118c5 '
                   '0 6 6 2 7M-7 -30q-3 8 2 12M7 -30q3 8 -2 12" fill="none" stroke="#3a1c10" '
                   'stroke-width="1.8"/>'
                   '<path d="M-1 -12V-62M1 -12V-62" stroke="#f6ecd0" stroke-width=".7"/>', 1, 14)
        body += (f'<path d="M-6 -66C14 -52 26 -50 46 -40" stroke="{fill}" stroke-width="14" '
                 'stroke-linecap="round" fill="none"/><path d="M14 -26L86 -46" stroke="#e9d9b0" '
                 'stroke-width="2"/>')
    return body


def fox(fill='#c9623a', tip='#f6ecd0'):
    """Standing on its hind legs in mid-step, facing right."""
    return (f'<path fill="{fill}" d="M-6 -10C-30 -6 -46 -22 -40 -44C-34 -30 -24 -28 -8 -32Z"/>'
            f'<path fill="{tip}" d="M-40 -44C-45 -36 -44 -28 -40 -22C-36 -28 -35 -36 -40 -44Z"/>'
            f'<g fill="{fill}"><path d="M-12 -6C-16 -34 -8 -58 4 -58C16 -58 16 -30 12 -6Z"/>'
            '<path d="M-16 -62L-14 -86L-2 -76L10 -77L20 -88L22 -66L36 -58L10 -50C-6 -50 -16 -54 '
            '-16 -62Z"/></g>'
            f'<path stroke="{fill}" stroke-width="6" stroke-linecap="round" d="M-6 -8L-12 8M8 -8L18 '
            '4M8 -44L26 -52M2 -42L-18 -52"/>'
            f'<path fill="{tip}" d="M2 -50C8 -46 10 -30 7 -14C0 -18 -3 -40 2 -50ZM10 -58L36 -58L10 '
            '-50Z"/><circle cx="9" cy="-66" r="2.2" fill="#1b1620"/><circle cx="36" cy="-58.5" '
            'r="2.6" fill="#1b1620"/>')


def heron(stroke):
    return (f'<g fill="none" stroke="{stroke}" stroke-linecap="round"><path stroke-width="3" '
            'd="M-6 0V-62M8 0V-62"/><path stroke-width="3" d="M-6 0h10M8 0h10"/>'
            f'<path fill="{stroke}" stroke-width="2" d="M-38 -58C-30 -88 6 -96 24 -78C18 -60 -8 -52 '
            '-38 -58Z"/><path stroke-width="9" d="M16 -78C44 -96 6 -118 26 -142"/>'
            f'<path stroke-width="2" fill="{stroke}" d="M20 -150C32 -156 38 -148 36 -142L74 -136L34 '
            '-134C24 -132 18 -142 20 -150Z"/><path stroke-width="2.4" d="M22 -150C12 -152 6 -148 -2 '
            '-142"/></g><circle cx="31" cy="-145" r="1.8" fill="#f6ecd0"/>')


def moon(x, y, r, page, seas=True):
    page.define('<radialGradient id="moon" cx=".4" cy=".35" r=".8"><stop offset="0" '
                'stop-color="#fbf0cd"/><stop offset="1" stop-color="#eccf8f"/></radialGradient>')
    spots = ((-.36, -.38, .15), (.32, -.5, .09), (.52, 0, .19), (0, -.68, .06), (-.57, .06, .07))
    page.add(f'<circle cx="{x}" cy="{y}" r="{n(r * 1.42)}" fill="#fbe9b8" opacity=".06"/>'
             f'<circle cx="{x}" cy="{y}" r="{n(r * 1.2)}" fill="#fbe9b8" opacity=".1"/>'
             f'<circle cx="{x}" cy="{y}" r="{r}" fill="url(#moon)"/>')
    if seas:
        page.add('<g fill="#d9b672" opacity=".38">' + ''.join(
            f'<circle cx="{n(x + a * r)}" cy="{n(y + b * r)}" r="{n(c * r)}"/>'
            for a, b, c in spots) + '</g>')


def night(top='#0f2238', foot='#27506f', seed=1, stars=60, depth=400):
    page = Page(ground=None)
    page.add(f'<rect width="{W}" height="{H}" '
             f'fill="{page.gradient("sky", (0, top), (1, foot))}"/>')
    return page.add(star_field(seed, W, depth, stars))


def sea(page, y=430, colours=('#1f4a69', '#183c59', '#112e47', '#0b2135'), step=34):
    for i, colour in enumerate(colours):
        page.add(wave(y + i * step, 20 + 7 * i, 6 + 2 * i, colour, shift=13 * i + 9))


def glints(page, x, y, count=5, fill='#f4dc9c', seed=3):
    draw = random.Random(seed)
    page.add(f'<g fill="{fill}" opacity=".75">' + ''.join(
        f'<rect x="{n(x + draw.uniform(-46, 6))}" y="{y + 15 * i}" '
        f'width="{n(draw.uniform(36, 92))}" height="3" rx="1.5"/>' for i in range(count)) + '</g>')


def town(page, y, seed=5, lit=.5):
    """A row of houses by the quay, their feet on a line."""
    draw = random.Random(seed)
    x = -6
    while x < W:
        wide, tall = draw.randint(28, 44), draw.randint(46, 104)
        wall = draw.choice(('#5c3f63', '#7a4a62', '#493a63', '#8a5060', '#5a3e66'))
        page.add(f'<path fill="{wall}" d="M{x} {y}h{wide}v{-tall}h{-wide}z"/>'
                 f'<path fill="#2b2748" d="M{x - 4} {y - tall}L{x + wide / 2} '
                 f'{n(y - tall - wide * .5)}L{x + wide + 4} {y - tall}Z"/>')
        for row in range(int(tall // 24)):
            for place in (6, wide - 14):
                fill = '#ffd27a' if draw.random() < lit else '#2a3556'
                page.add(f'<rect x="{x + place}" y="{y - tall + 9 + row * 23}" width="7.5" '
                         f'height="11" rx="1" fill="{fill}"/>')
        x += wide + draw.choice((0, 3, 4))


def verse(index, lines, vignette, top=None):
    page = Page()
    page.add(vignette)
    start = top or (300 if len(lines) < 6 else 262)
    page.lines(W / 2, start, lines, 24, 36)
    page.folio(index)
    return page


LINE = f'fill="none" stroke="{INDIGO}" stroke-width="2.4" stroke-linecap="round" ' \
       'stroke-linejoin="round"'


def line_art(x, y, scale, shapes):
    return f'<g transform="translate({x} {y}) scale({scale})" {LINE}>{shapes}</g>'


VIGNETTES = {
    'lantern': '<path d="M-16 30V-8C-16 -20 16 -20 16 -8V30Z" fill="#e9b44c"/><path d="M-22 30H22'
               'M-14 38H14M-10 -17L0 -30L10 -17M0 -30V-36M0 22C-9 12 -3 6 0 -2C3 6 9 12 0 22Z"/>'
               '<circle cx="0" cy="-42" r="6"/>',
    'ticket': '<path d="M-48 -24H48V-8A9 9 0 0 0 48 10V26H-48V10A9 9 0 0 0 -48 -8Z" fill="#e9b44c"'
              '/><path d="M22 -22V24" stroke-dasharray="3 5"/><path d="M-32 -8H6M-32 2H-4M-32 12H2'
              '" stroke-width="1.8"/>',
    'bell': '<path d="M-24 26C-16 14 -18 -8 -14 -20C-11 -30 11 -30 14 -20C18 -8 16 14 24 26Z" '
            'fill="#e9b44c"/><path d="M-30 26H30"/><circle cx="0" cy="34" r="6" fill="#23304a"/>'
            '<path d="M0 -28V-38M-9 -38H9"/><path d="M-46 -6C-52 4 -52 14 -46 22M46 -6C52 4 52 14 '
            '46 22M-58 -12C-66 4 -66 18 -58 30M58 -12C66 4 66 18 58 30" stroke-width="1.8"/>',
    'cello': '<g transform="rotate(16)"><path d="M0 44C-24 44 -28 22 -18 9C-13 2 -16 -3 -18 -7C-24 '
             '-22 -14 -34 0 -34C14 -34 24 -22 18 -7C16 -3 13 2 18 9C28 22 24 44 0 44Z" '
             'fill="#c77a43"/><path d="M0 30V-84M-4 -84H4M-6 -74H6M0 44V58M-10 6q-4 9 2 15M10 6q4 9 '
             '-2 15M-7 28H7"/></g><path d="M-60 34L62 -10" stroke-width="2"/>',
    'anchor': '<circle cx="0" cy="-36" r="9" fill="#e9b44c"/><path d="M0 -27V38M-20 -14H20M-38 10C'
              '-34 32 -18 40 0 40C18 40 34 32 38 10M-46 18L-38 8L-28 16M46 18L38 8L28 16"/>',
    'watch': '<circle cx="0" cy="10" r="36" fill="#f0d9a0"/><circle cx="0" cy="10" r="29"/><path '
             'd="M-5 -26V-34H5V-26M0 10V-10M0 10L13 18M0 -14v3M0 34v-3M-24 10h3M24 10h-3"/>'
             '<path d="M6 -38C22 -52 36 -32 50 -44C58 -50 66 -46 68 -40" stroke-width="1.8"/>',
    'flake': ''.join(f'<g transform="rotate({a})"><path d="M0 0V-42M0 -16L-9 -25M0 -16L9 -25M0 -28'
                     'L-7 -35M0 -28L7 -35"/></g>' for a in range(0, 360, 60)),
    'teapot': '<path d="M-30 30C-44 8 -34 -18 0 -18C34 -18 44 8 30 30Z" fill="#c9623a"/><path '
              'd="M37 4C52 4 50 -20 64 -24M-38 2C-62 -10 -60 30 -34 22M-16 -19C-12 -27 12 -27 16 '
              '-19"/><circle cx="0" cy="-30" r="4.5" fill="#23304a"/><path d="M-8 -46q-6 -7 0 -13t0 '
              '-13M10 -46q-6 -7 0 -13t0 -13" stroke-width="1.8"/>',
    'rope': '<path d="M-20 34V-6C-30 -12 -28 -28 0 -28C28 -28 30 -12 20 -6V34Z" fill="#8d97a6"/>'
            '<path d="M-22 8C-6 16 6 16 22 8M-22 16C-6 24 6 24 22 16M22 12C44 16 40 34 70 30M-34 '
            '34H34"/>',
    'drawer': '<path d="M-46 -26H46V34H-46Z" fill="#d9c79b"/><path d="M-46 4H46M-40 34V42M40 34V42"'
              '/><path d="M-54 4L-46 -6H46L54 4V22H-54Z" fill="#ecdcae"/><circle cx="0" cy="14" '
              'r="3.4" fill="#23304a"/><path d="M-12 -8C-10 -20 10 -20 12 -8" fill="#ffd98a"/><path '
              'd="M0 -26V-38M-18 -28L-26 -40M18 -28L26 -40" stroke-width="1.8"/>',
    'shell': '<path d="M0 34C-40 26 -46 -8 -30 -24C-20 -36 -8 -30 0 -34C8 -30 20 -36 30 -24C46 -8 '
             '40 26 0 34Z" fill="#efc9a8"/><path d="M0 32V-30M-5 31C-20 12 -22 -8 -18 -28M5 31C20 12 '
             '22 -8 18 -28M-10 29C-32 14 -36 0 -36 -12M10 29C32 14 36 0 36 -12" '
             'stroke-width="1.8"/>',
}
