"""Staves and notes, and Six Nocturnes for Small Hands."""
import random

from press import Book, H, INK, ITALIC, Page, PAPER, ROMAN, TEXT, TEXT_ITALIC, W, at, n

INK_M = '#1c1b1f'
CLEF = ('M4 2C-2 2 -4 -6 2 -9C10 -12 15 -3 12 4C8 13 -8 12 -11 0C-14 -12 2 -20 8 -32C11 -39 8 -46 5 '
        '-46C0 -44 0 -34 2 -24L8 18C9 26 -1 28 -3 22')
GAP = 5


def staff(page, x, y, width, colour=INK_M, clef='treble'):
    page.add(f'<path fill="none" stroke="{colour}" stroke-width=".55" d="'
             + ''.join(f'M{n(x)} {n(y + GAP * i)}h{n(width)}' for i in range(5)) + '"/>')
    if clef == 'treble':
        page.add(f'<path transform="translate({n(x + 9)} {n(y + 15)}) scale(.52)" fill="none" '
                 f'stroke="{colour}" stroke-width="2.3" stroke-linecap="round" d="{CLEF}"/>')
    else:
        page.add(f'<path fill="none" stroke="{colour}" stroke-width="1.6" stroke-linecap="round" '
                 f'd="M{n(x + 4)} {n(y + 7)}c2 -6 11 -6 10 2c-1 6 -6 9 -10 11"/><circle '
                 f'cx="{n(x + 17)}" cy="{n(y + 4)}" r="1" fill="{colour}"/><circle cx="{n(x + 17)}" '
                 f'cy="{n(y + 9)}" r="1" fill="{colour}"/>')


def note(page, x, y, step, colour=INK_M, hollow=False, stem=True, up=None):
    """A note on a step counted from the lowest line; returns the end of its stem."""
    cy = y + GAP * 4 - step * GAP / 2
    up = step < 5 if up is None else up
    look = (f'fill="none" stroke="{colour}" stroke-width="1.2"' if hollow else f'fill="{colour}"')
    page.add(f'<ellipse cx="{n(x)}" cy="{n(cy)}" rx="3.1" ry="2.3" '
             f'transform="rotate(-20 {n(x)} {n(cy)})" {look}/>')
    for ledger in range(-2, step - 1, -2):
        page.add(f'<path stroke="{colour}" stroke-width=".6" d="M{n(x - 5.5)} '
                 f'{n(y + GAP * 4 - ledger * GAP / 2)}h11"/>')
    for ledger in range(10, step + 1, 2):
        page.add(f'<path stroke="{colour}" stroke-width=".6" d="M{n(x - 5.5)} '
                 f'{n(y + GAP * 4 - ledger * GAP / 2)}h11"/>')
    edge, end = x + (2.8 if up else -2.8), cy + (-17 if up else 17)
    if stem:
        page.add(f'<path stroke="{colour}" stroke-width=".9" d="M{n(edge)} {n(cy)}V{n(end)}"/>')
    return edge, end


def staff_line(page, x, y, width, tune, colour=INK_M):
    """One line of melody: steps by number, a dot lengthens the note before it."""
    staff(page, x, y, width, colour)
    beats = tune.split()
    step = (width - 34) / len(beats)
    for i, beat in enumerate(beats):
        if beat != '.':
            held = i + 1 < len(beats) and beats[i + 1] == '.'
            note(page, x + 30 + step * (i + .4), y, int(beat), colour, hollow=held)
        if i == len(beats) // 2 - 1:
            bar = x + 30 + step * (i + .95)
            page.add(f'<path stroke="{colour}" stroke-width=".8" d="M{n(bar)} {n(y)}v20"/>')
    page.add(f'<path stroke="{colour}" stroke-width=".8" d="M{n(x + width)} {n(y)}v20"/>')


NOCTURNES = (
    ('Nocturne No. 1', 'Andante, the landing light on', 'The stairs at night have one step more.'),
    ('Nocturne No. 2', 'Moderato, rain on one window only', 'Count the drops, then lose count.'),
    ('Nocturne No. 3', 'Lento, as if from the next room', 'Nobody is playing. Listen to them.'),
    ('Nocturne No. 4', 'Allegretto, a moth', 'Do not chase the melody. It will sit down.'),
    ('Nocturne No. 5', 'Adagio, snow', 'Every rest is a roof.'),
    ('Nocturne No. 6', 'Larghetto, the last bus', 'Wave until it has turned the corner.'),
)


def system(page, y, draw, number, label, last=False, width=294):
    x = 36
    staff(page, x, y, width)
    staff(page, x, y + 44, width, clef='bass')
    page.add(f'<path stroke="{INK_M}" stroke-width="1" d="M{x} {y}v64"/><path fill="{INK_M}" '
             f'd="M{x - 5} {y}C{x - 11} {y + 16} {x - 3} {y + 22} {x - 8} {y + 32}C{x - 3} {y + 42} '
             f'{x - 11} {y + 48} {x - 5} {y + 64}C{x - 7.5} {y + 50} {x - 1} {y + 43} {x - 6} '
             f'{y + 32}C{x - 1} {y + 21} {x - 7.5} {y + 14} {x - 5} {y}Z"/>')
    page.text(x + 2, y - 7, str(number), 9, TEXT, '#55514a', say=False)
    if label:
        page.text(x + 26, y + 37, label, 11, TEXT_ITALIC, INK_M, say=False)
    bars, start = 4, x + 26
    bar_width = (width - 26) / bars
    for bar in range(bars):
        left = start + bar * bar_width
        page.add(f'<path stroke="{INK_M}" stroke-width=".8" d="M{n(left + bar_width)} {y}v64"/>')
        kind = draw.random()
        home = draw.choice((1, 2, 3, 4))
        if last and bar == bars - 1:
            note(page, left + 26, y, 4, hollow=True, stem=False)
            note(page, left + 26, y + 44, 1, hollow=True, stem=False)
            page.add(f'<path fill="{INK_M}" d="M{n(left + bar_width - 5)} {y}h1v64h-1zM'
                     f'{n(left + bar_width - 2.5)} {y}h3v64h-3z"/><path fill="none" '
                     f'stroke="{INK_M}" d="M{n(left + 18)} {y - 6}a8 8 0 0 1 16 0"/><circle '
                     f'cx="{n(left + 26)}" cy="{y - 7}" r="1.2" fill="{INK_M}"/>')
            continue
        gap = (bar_width - 14) / 4
        if kind < .62:
            for pair in range(2):
                steps = [max(0, min(8, home + draw.choice((-2, -1, 0, 1, 2, 3)))) for _ in '12']
                ends = [note(page, left + 10 + gap * (2 * pair + k), y, s, up=True)
                        for k, s in enumerate(steps)]
                (x1, y1), (x2, y2) = ends
                page.add(f'<path fill="{INK_M}" d="M{n(x1 - .4)} {n(y1)}L{n(x2 + .4)} {n(y2)}v2.8L'
                         f'{n(x1 - .4)} {n(y1 + 2.8)}Z"/>')
        elif kind < .86:
            for k in range(2):
                note(page, left + 14 + 2 * gap * k, y, home + k, hollow=True)
            page.add(f'<path fill="none" stroke="{INK_M}" d="M{n(left + 12)} {y + 27}q{n(gap)} 6 '
                     f'{n(2 * gap + 2)} 0"/>')
        else:
            for k in range(3):
                note(page, left + 10 + gap * (k if k < 2 else 2), y, home + (0, 2, 1)[k],
                     hollow=k == 2)
        low = draw.choice((1, 2, 3, 4))
        note(page, left + 12, y + 44, low, hollow=True)
        note(page, left + 12 + 2 * gap, y + 44, max(0, low - draw.choice((0, 1, 2))), hollow=True)


def vignette(page, k, y):
    """A small picture under the last system."""
    c = '#d98a72'
    shapes = (
        f'<path fill="none" stroke="{c}" stroke-width="3" d="M-60 24h24v-12h24v-12h24v-12h24v-12h24"'
        '/>',
        f'<path fill="none" stroke="{c}" stroke-width="2" d="M-30 -30H30V30H-30ZM0 -30V30M-30 0H30"/>'
        f'<path fill="{c}" d="M12 -20c5 8 5 12 0 12s-5 -4 0 -12zM-16 8c5 8 5 12 0 12s-5 -4 0 -12z"/>',
        f'<path fill="none" stroke="{c}" stroke-width="3" d="M-22 34V-34H22V34M-40 34H40"/><circle '
        f'cx="14" cy="2" r="3" fill="{c}"/><path fill="{c}" opacity=".4" d="M-22 -34L-4 -26V42L-22 34Z'
        '"/>',
        f'<path fill="{c}" d="M0 -4C-14 -34 -44 -26 -34 -4C-28 8 -8 6 0 2C8 6 28 8 34 -4C44 -26 14 -34'
        ' 0 -4ZM0 4C-8 6 -22 14 -14 24C-6 30 -2 16 0 12C2 16 6 30 14 24C22 14 8 6 0 4Z"/>',
        f'<path fill="{c}" d="M-50 30V6L-26 -14L-2 6V30ZM2 30V-4L26 -26L50 -4V30Z" opacity=".8"/><path '
        'fill="#f6f1e6" d="M-54 7L-26 -18L2 7L-2 10L-26 -10L-50 10ZM-2 -3L26 -30L54 -3L50 0L26 -22L2 0Z'
        '"/>',
        f'<path fill="{c}" d="M-52 -22H44C50 -22 52 -18 52 -10V18H-52Z"/><g fill="#f6f1e6"><path '
        'd="M-44 -14h16v14h-16zM-22 -14h16v14h-16zM0 -14h16v14h-16zM22 -14h22v14h-22z"/></g><circle '
        f'cx="-28" cy="20" r="8" fill="{c}"/><circle cx="30" cy="20" r="8" fill="{c}"/>')
    page.add(at(W / 2, y, shapes[k]))


def make(root):
    book = Book(root, '03-music-stand/01-six-nocturnes', 'Six Nocturnes for Small Hands',
                'A. Velloso')
    book.drawn_by_hand()
    end = Page(ground='#d98a72')
    for y in range(24, H, 46):
        end.add(f'<path fill="none" stroke="#f6e6d2" stroke-opacity=".45" stroke-width=".8" d="'
                + ''.join(f'M0 {y + 4 * i}C90 {y - 16 + 4 * i} 250 {y + 24 + 4 * i} 362 {y + 4 * i}'
                          for i in range(5)) + '"/>')
    book.page(end, 'Endpaper: flowing staves')
    page = Page()
    page.text(W / 2, 150, 'Six', 44, ITALIC, INK_M, 'middle')
    page.text(W / 2, 196, 'Nocturnes', 44, ROMAN, INK_M, 'middle')
    page.text(W / 2, 226, 'for small hands', 19, TEXT_ITALIC, '#5e5a50', 'middle')
    page.add('<path d="M121 252H241M121 255H241" stroke="#d98a72"/>')
    page.paragraph(70, 300, 222, 'None of these reaches further than a sixth. Play them with the '
                   'lamp off if you know the way. The fingers may be anybody’s; the pauses are to '
                   'be your own.', 15, 22, TEXT_ITALIC, '#3a3733')
    page.text(W / 2, 508, 'A. Velloso', 19, ROMAN, INK_M, 'middle')
    book.page(page)
    for k, (title, tempo, motto) in enumerate(NOCTURNES):
        draw = random.Random(300 + k)
        dynamics = ('p', 'pp', 'dolce', 'mf', 'poco rit.', 'espr.')
        page = Page()
        page.text(W / 2, 56, title, 24, ITALIC, INK_M, 'middle', .02)
        page.text(36, 84, tempo, 12, TEXT_ITALIC, INK_M)
        for s in range(4):
            system(page, 112 + 100 * s, draw, 1 + 4 * s, draw.choice(dynamics) if s % 2 == 0 else '')
        page.folio(book.index)
        book.page(page)
        page = Page()
        rows = 4 if k != 2 else 3
        for s in range(rows):
            system(page, 50 + 100 * s, draw, 17 + 4 * s, draw.choice(dynamics) if s % 2 else '',
                   last=s == rows - 1)
        below = 50 + 100 * rows
        vignette(page, k, below + 28 if rows == 4 else below + 60)
        page.text(W / 2, 536 if rows == 4 else below + 124, motto, 13.5, TEXT_ITALIC, '#5e5a50',
                  'middle')
        page.folio(book.index)
        book.page(page)
    back = Page(ground='#e0937b')
    back.add('<path fill="#f6e6d2" d="M210 250a52 52 0 1 1 -42 -84a43 43 0 0 0 42 84Z"/>')
    back.lines(W / 2, 342, ['If the neighbours knock,', 'they would like', 'the third one again.'], 18,
               27, TEXT_ITALIC, INK_M)
    back.add('<path d="M34 516H328M34 520H328" stroke="#1c1b1f" stroke-width="1.4"/>')
    back.text(W / 2, 544, 'PIANO', 10, TEXT, INK_M, 'middle', .2)
    book.page(back)
    assert book.count == 16, book.count
