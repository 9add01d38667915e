"""The pages of The Night Ferry in order."""
import math
import random

from ferry import (CORAL, CREAM, GOLD, INDIGO, NAVY, VIGNETTES, bear, ferry, fox, glints, heron,
                   line_art, moon, night, owl, sea, town, verse)
from press import Book, H, ITALIC, Page, ROMAN, TEXT, TEXT_ITALIC, W, at, n, star_field, wave

GULL = 'fill="none" stroke-width="2" stroke-linecap="round" d="M-12 0Q-6 -9 0 0Q6 -9 12 0"'


def endpaper():
    page = Page(ground='#17395a')
    for row in range(24):
        shift = 14 if row % 2 else 0
        arcs = ''.join(f'M{x - shift} {row * 25}a14 14 0 0 1 28 0M{x - shift + 6} {row * 25}a8 8 0 '
                       '0 1 16 0' for x in range(-14, W + 28, 28))
        page.add(f'<path fill="none" stroke="#f3e6c2" stroke-opacity=".3" stroke-width="1.2" '
                 f'd="{arcs}"/>')
    return page


def title():
    page = Page()
    page.text(W / 2, 168, 'The Night', 46, ROMAN, '#17395a', 'middle')
    page.text(W / 2, 216, 'Ferry', 46, ROMAN, '#17395a', 'middle')
    page.add(at(W / 2, 330, ferry('#17395a', CORAL, '#f6ecd0', '#e9b44c'), .8))
    page.add('<path fill="none" stroke="#17395a" stroke-width="1.6" d="M86 366q9 -7 18 0t18 0 18 0 '
             '18 0 18 0 18 0 18 0 18 0 18 0 18 0"/>')
    page.text(W / 2, 470, 'words and pictures by', 14, TEXT_ITALIC, '#5e5a50', 'middle')
    page.text(W / 2, 496, 'Ilse Marow', 21, ROMAN, '#17395a', 'middle')
    return page


def harbour():
    page = night('#131d3a', '#54436f', 21, 80, 300)
    moon(276, 110, 42, page)
    page.add('<path fill="#2d2a52" d="M0 300C70 236 130 250 190 282C240 240 310 244 362 276V430H0Z"'
             '/>')
    town(page, 404, 11, .34)
    page.add('<rect y="402" width="362" height="14" fill="#151a38"/>')
    for i, y in enumerate((416, 456, 500)):
        page.add(wave(y, 24 + 6 * i, 6 + i, ('#1c2a52', '#172244', '#101936')[i], shift=17 * i))
    page.add('<g stroke="#151a38" stroke-width="4"><path d="M60 402V330M60 334h22"/></g>'
             '<circle cx="84" cy="342" r="6" fill="#ffd98a"/><circle cx="84" cy="342" r="22" '
             'fill="#ffd98a" opacity=".18"/>')
    page.add(at(238, 452, ferry('#0d1228', '#a8452f', '#c9bda2', '#ffd98a', False), .95))
    page.add(wave(480, 30, 8, '#172244', shift=9))
    page.lines(W / 2, 528, ['When the last lamp on the hill goes out,', 'the ferry lights hers.'],
               16.5, 23, TEXT, CREAM)
    return page


def queue():
    page = night('#1a1f40', '#6a4a72', 31, 60, 260)
    page.add('<path fill="#322c55" d="M0 330C60 286 120 306 190 326C250 296 320 300 362 322V470H0Z"'
             '/><rect y="420" width="362" height="148" fill="#1b1a36"/><path d="M0 420H362" '
             'stroke="#3c3763" stroke-width="5"/>')
    page.add('<g stroke="#0f1228" stroke-width="5" fill="none"><path d="M318 420V190M318 196H270"/>'
             '</g><path fill="#ffd98a" d="M258 196h24l5 26h-34z"/><path fill="#ffd98a" '
             'opacity=".13" d="M253 222L150 420H362L287 222Z"/>')
    page.add(at(64, 421, heron('#10132b'), .98), at(132, 412, fox(), .8), at(178, 412, fox(
        '#a84e34'), .74), at(252, 421, bear('#3a2a2c', '#b86a38'), .92))
    page.add(owl(.56, 'open', 328, 398))
    page.add('<g transform="translate(181 486)" fill="#f6ecd0"><path d="M-64 -16H64V16H-64Z" '
             'fill="none" stroke="#f6ecd0" stroke-width="1.5"/></g>')
    page.text(W / 2, 491, 'Queue here for the night', 13, TEXT_ITALIC, CREAM, 'middle')
    return page


def cello():
    page = night('#0d1b33', '#1f4a69', 41, 60, 330)
    moon(92, 124, 40, page)
    page.add('<g fill="none" stroke="#f3e6c2" stroke-width=".8" opacity=".55">' + ''.join(
        f'<path d="M-6 {248 + 9 * i}C90 {190 + 9 * i} 170 {300 + 9 * i} 370 {150 + 9 * i}"/>'
        for i in range(5)) + '</g>')
    notes = ((40, 246), (88, 244), (136, 256), (186, 252), (232, 236), (282, 214), (326, 196))
    page.add(''.join(
        f'<ellipse cx="{x}" cy="{y}" rx="6.4" ry="4.6" transform="rotate(-20 {x} {y})" '
        f'fill="#ffd98a"/><path stroke="#ffd98a" stroke-width="1.6" d="M{x + 6} {y - 2}v-28"/>'
        for x, y in notes))
    sea(page, 446, ('#1f4a69', '#183c59'), 26)
    page.add('<path fill="#0c1a28" d="M-10 440H372V480H-10Z"/><path stroke="#0c1a28" '
             'stroke-width="5" d="M-4 404H366"/><path stroke="#0c1a28" stroke-width="4" '
             'd="M20 404V444M76 404V444M290 404V444M344 404V444"/>')
    page.add(at(158, 442, bear('#2d2226', '#c9743c'), 1.12))
    page.add('<path fill="#f0e4c8" d="M-4 480H366V568H-4Z"/><path fill="#d8553c" d="M-4 556H366V568'
             'H-4Z"/>' + ''.join(f'<circle cx="{x}" cy="522" r="16" fill="#0c1a28"/><circle '
                                 f'cx="{x}" cy="522" r="12" fill="#ffd98a"/>'
                                 for x in (44, 112, 181, 250, 318)))
    return page


def dance():
    page = night('#141a3c', '#46376b', 51, 60, 400)
    page.add('<path d="M-6 96Q96 176 181 110T370 84" fill="none" stroke="#0c1026" '
             'stroke-width="2"/>')
    for x, y, c in ((28, 121, '#ffd98a'), (76, 143, '#e9805a'), (126, 140, '#9fd0c0'),
                    (176, 114, '#ffd98a'), (228, 89, '#e9a0a0'), (282, 83, '#9fd0c0'),
                    (334, 83, '#e9805a')):
        page.add(f'<circle cx="{x}" cy="{y + 16}" r="30" fill="{c}" opacity=".1"/><path '
                 f'd="M{x} {y - 3}v8" stroke="#0c1026" stroke-width="2"/><ellipse cx="{x}" '
                 f'cy="{y + 17}" rx="11" ry="13" fill="{c}"/>')
    page.add('<path fill="#7a5a44" d="M-4 420H366V568H-4Z"/>' + ''.join(
        f'<path stroke="#5f4434" stroke-width="2" d="M-4 {y}H366"/>' for y in (446, 476, 510, 548)))
    page.add('<path stroke="#0c1026" stroke-width="5" d="M-4 330H366"/><path stroke="#0c1026" '
             'stroke-width="3" d="M30 330V420M106 330V420M181 330V420M258 330V420M334 330V420"/>')
    page.add('<ellipse cx="116" cy="474" rx="46" ry="7" fill="#3f2c22" opacity=".5"/><ellipse '
             'cx="254" cy="474" rx="46" ry="7" fill="#3f2c22" opacity=".5"/>')
    page.add(at(120, 462, fox(), 1.5, -6), at(250, 462, fox('#a84e34'), '-1.5 1.5', 6))
    page.add('<g fill="none" stroke="#20264a" stroke-width="5" stroke-linecap="round"><path '
             'd="M181 500V548M160 512H202M148 530C150 556 212 556 214 530"/><circle cx="181" '
             'cy="492" r="8"/></g>')
    return page


def watch():
    page = night('#0f2238', '#2b5a78', 61, 70, 420)
    moon(196, 250, 138, page)
    sea(page, 470, ('#183c59', '#112e47', '#0b2135'), 28)
    page.add(at(150, 478, heron('#0c1a28'), 2.1))
    page.add('<path fill="#0c1a28" d="M-4 474H366V486H-4Z"/><path stroke="#0c1a28" stroke-width="5"'
             ' d="M24 478V568M120 478V568M246 478V568M340 478V568"/>')
    return page


def snow():
    page = night('#26374a', '#5d7285', 71, 0, 300)
    page.add(at(196, 356, ferry('#17222e', '#b9513c', '#e8e4d8', '#ffd98a'), .72))
    page.add('<g fill="#17222e" opacity=".6"><circle cx="180" cy="290" r="6"/><circle cx="168" '
             'cy="280" r="8"/><circle cx="152" cy="272" r="11"/><circle cx="130" cy="268" r="13"/>'
             '</g>')
    for i, y in enumerate((376, 412, 456, 508)):
        page.add(wave(y, 24 + 7 * i, 5 + 2 * i, ('#46596b', '#3a4c5e', '#2f4051', '#243443')[i],
                      shift=16 * i))
    draw = random.Random(7)
    page.add('<g fill="#f4f1ea">' + ''.join(
        f'<circle cx="{n(draw.uniform(0, W))}" cy="{n(draw.uniform(0, H))}" '
        f'r="{n(draw.choice((1, 1.4, 2, 2.8, 3.6)))}" opacity="{draw.choice((0.5, 0.8, 1))}"/>'
        for _ in range(150)) + '</g>')
    return page


def lighthouse():
    page = night('#0b1730', '#233f6a', 81, 60, 330)
    page.add('<path fill="#ffe9b0" opacity=".2" d="M262 172L-20 90V216Z"/><path fill="#ffe9b0" '
             'opacity=".2" d="M262 172L-20 130V184Z"/>')
    page.add('<path fill="#131a2e" d="M180 470C200 430 236 424 262 420C300 424 340 440 372 470V568'
             'H180Z"/><path fill="#ece4d2" d="M238 424L246 196H278L286 424Z"/><path fill="#c84a38" '
             'd="M244.6 240L243 286H281L279.400 240ZM241.400 332L239.800 378H284.200L282.600 332Z"/>'
             '<path fill="#131a2e" d="M236 190H288V198H236ZM246 156H278V190H246ZM242 156L262 132L282 '
             '156Z"/><rect x="250" y="160" width="24" height="26" fill="#ffe9a8"/><rect x="257" '
             'y="300" width="10" height="16" rx="5" fill="#3a3f52"/>')
    page.add(at(92, 448, ferry(), .66))
    sea(page, 466, ('#1b3460', '#152a50', '#102040', '#0b1730'), 26)
    return page


def tea():
    page = Page(ground='#3b2a2c')
    page.add('<rect width="362" height="380" fill="#6b4436"/>' + ''.join(
        f'<path d="M{x} 0V380" stroke="#5a382d" stroke-width="2"/>' for x in range(30, 362, 46)))
    page.define('<clipPath id="port"><circle cx="181" cy="170" r="92"/></clipPath>')
    page.add('<g clip-path="url(#port)"><rect x="80" y="70" width="204" height="204" '
             'fill="#14284a"/>' + at(80, 70, star_field(9, 200, 120, 26))
             + '<circle cx="216" cy="140" r="24" fill="#f6e6b6"/>' + '</g>')
    page.add('<g clip-path="url(#port)">' + wave(214, 22, 7, '#1f4a69', 362, 300, 8)
             + wave(238, 28, 8, '#163653', 362, 300, 20) + '</g>')
    page.add('<circle cx="181" cy="170" r="96" fill="none" stroke="#d9a94e" stroke-width="13"/>'
             '<circle cx="181" cy="170" r="103" fill="none" stroke="#8e6526" stroke-width="2"/>'
             + ''.join(f'<circle cx="{n(181 + 96 * c)}" cy="{n(170 + 96 * s)}" r="3" '
                       'fill="#8e6526"/>' for c, s in ((1, 0), (-1, 0), (0, 1), (0, -1), (.7, .7),
                                                       (-.7, .7), (.7, -.7), (-.7, -.7))))
    page.add('<path fill="#2a1c1c" d="M0 420H362V568H0Z"/><path fill="#b98052" d="M0 404H362V424H0Z'
             '"/>')
    page.add('<g fill="#f1e7d2"><path d="M40 392h10v12h-10z"/><path d="M72 384H116C116 400 108 404 '
             '94 404C80 404 72 400 72 384Z"/><path d="M132 396H176L168 404H140ZM190 396H234L226 404'
             'H198Z"/><path d="M142 382H166C166 394 160 397 154 397C148 397 142 394 142 382ZM200 382'
             'H224C224 394 218 397 212 397C206 397 200 394 200 382Z"/></g><path fill="#8d979c" '
             'd="M258 330H336L326 404H268Z"/><path d="M258 330C262 292 332 292 336 330" fill="none" '
             'stroke="#5c666b" stroke-width="3.500"/><path fill="#6d767b" d="M258 330H336L334.600 '
             '340H259.400Z"/>')
    page.add('<g fill="none" stroke="#f1e7d2" stroke-width="2" stroke-linecap="round" opacity=".6">'
             + ''.join(f'<path d="M{x} {y}q-6 -8 0 -15t0 -15"/>' for x, y in (
                 (45, 382), (94, 374), (154, 372), (212, 372), (284, 318), (310, 318))) + '</g>')
    for x, what in ((45, 'owl'), (94, 'heron'), (183, 'foxes'), (297, 'bear')):
        page.text(x, 452, what, 15, TEXT_ITALIC, '#e8d3b0', 'middle')
    return page


def asleep():
    page = night('#0b1226', '#2a3560', 91, 110, 400)
    page.add('<path fill="#7a5a44" d="M-4 440H366V568H-4Z"/>' + ''.join(
        f'<path stroke="#5f4434" stroke-width="2" d="M-4 {y}H366"/>' for y in (466, 496, 530)))
    page.add('<path stroke="#0a0f22" stroke-width="5" d="M-4 376H366"/><path stroke="#0a0f22" '
             'stroke-width="3" d="M24 376V440M100 376V440M181 376V440M262 376V440M338 376V440"/>')
    # One heap of sleepers: the bear is at the bottom, and the others lie where he is warmest.
    page.add('<ellipse cx="186" cy="504" rx="142" ry="12" fill="#3f2c22" opacity=".6"/><g '
             'fill="#2d2226"><path d="M62 504C56 430 130 404 194 410C262 414 316 444 312 504Z"/>'
             '<circle cx="298" cy="468" r="34"/><circle cx="276" cy="438" r="12"/><circle cx="318" '
             'cy="438" r="12"/><ellipse cx="330" cy="484" rx="17" ry="12"/></g><path d="M290 466q7 '
             '6 14 0M312 466q6 5 12 0" fill="none" stroke="#f6ecd0" stroke-width="2"/><circle '
             'cx="345" cy="480" r="4" fill="#0a0f22"/>')
    for x, y, c, s in ((116, 430, '#c9623a', 1), (206, 412, '#a84e34', -1)):
        page.add(at(x, y, f'<path fill="{c}" d="M-40 6C-46 -18 -10 -30 16 -24C40 -20 48 0 36 10C14 '
                    '18 -30 18 -40 6Z"/><path fill="#f6ecd0" d="M-40 6C-30 20 6 22 24 12C6 10 -20 8 '
                    '-28 -4Z"/><path fill="#1b1620" opacity=".22" d="M8 -2L38 8L12 12Z"/>'
                    f'<path fill="{c}" d="M14 -24L20 -40L28 -25L40 -36L40 -16Z"/><path d="M26 -8q6 4 '
                    '11 0" stroke="#1b1620" stroke-width="2" fill="none"/>', '1 1' if s > 0 else
                    '-1 1'))
    page.add(owl(.42, 'shut', 300, 412))
    page.add(at(40, 506, heron('#10132b'), .86))
    for x, y, size in ((322, 380, 18), (336, 352, 23), (322, 320, 28), (338, 282, 34)):
        page.text(x, y, 'z', size, ITALIC, CREAM, 'middle', say=False)
    return page


def landing():
    page = Page(ground=None)
    sky = page.gradient('sky', (0, '#2a3a66'), (.45, '#8a6a8e'), (.72, '#e6a27e'), (1, '#f5d3a0'))
    page.add(f'<rect width="{W}" height="{H}" fill="{sky}"/>', star_field(5, W, 150, 24))
    page.add('<circle cx="112" cy="372" r="40" fill="#fff0c8"/><path fill="#7d6488" d="M0 372C60 330'
             ' 110 348 170 366C230 318 310 320 362 344V440H0Z"/><path fill="#5a4a72" d="M150 400C210'
             ' 356 300 352 362 372V440H150Z"/>')
    for i, y in enumerate((398, 430, 470, 516)):
        page.add(wave(y, 24 + 7 * i, 5 + 2 * i, ('#b98a8c', '#8f7388', '#665b7e', '#44446a')[i],
                      shift=14 * i))
    page.add('<path fill="#3a3450" d="M214 430H372V568H246C240 520 232 470 214 430Z"/><path '
             'stroke="#524a6a" stroke-width="3" fill="none" d="M220 452H372M228 482H372M236 514H372M'
             '240 544H372M270 430V452M320 430V452M292 452V482M342 452V482M268 482V514M318 482V514"/>'
             '<path d="M262 430V414C254 408 256 398 270 398C284 398 286 408 278 414V430Z" '
             'fill="#2a2640"/>')
    page.add(at(104, 462, ferry('#2a2640', '#c8553c', '#f4e6cc', '#ffe2a0'), .9))
    page.add(wave(486, 32, 9, '#665b7e', 210, H, 12), wave(522, 36, 9, '#44446a', 236, H, 30))
    page.add('<path d="M198 448Q236 440 266 420" stroke="#2a2640" stroke-width="2" fill="none"/>')
    return page


def empty_sea():
    page = Page(ground=None)
    sky = page.gradient('sky', (0, '#9fc3cf'), (.6, '#f2dcb8'), (1, '#f7e7cc'))
    page.add(f'<rect width="{W}" height="{H}" fill="{sky}"/>')
    page.add('<circle cx="181" cy="318" r="58" fill="#fff4d2"/>')
    for i, y in enumerate((330, 356, 392, 436, 488)):
        page.add(wave(y, 22 + 7 * i, 5 + 1.6 * i,
                      ('#9fc4c4', '#84b2b6', '#689ea6', '#4d8794', '#346f80')[i], shift=15 * i))
    page.add(at(246, 414, '<path fill="#0b1a33" d="M-7 34C-9 12 -8 -8 -22 -22C-40 -32 -58 -28 -66 '
                '-36C-44 -52 -14 -46 0 -26C14 -46 44 -52 66 -36C58 -28 40 -32 22 -22C8 -8 9 12 7 34Z'
                '"/>', .8), wave(438, 30, 7, '#4d8794', shift=4))
    page.add(wave(488, 50, 11, '#346f80', shift=60))
    for x, y, s in ((90, 150, 1.1), (128, 128, .8), (60, 190, .7), (268, 176, .9)):
        page.add(at(x, y, f'<path stroke="#3a4a55" {GULL}/>', s))
    page.lines(W / 2, 532, ['The sea puts everything back.'], 16.5, 22, TEXT_ITALIC, '#fbf3e2')
    return page


def back():
    page = night('#0f2238', '#27506f', 99, 80, 380)
    moon(181, 176, 54, page)
    page.lines(W / 2, 306, ['For those who are still awake,', 'for those who are nearly not,',
                            'and for whoever is reading aloud.'], 18, 28, TEXT_ITALIC, CREAM)
    sea(page, 430)
    glints(page, 181, 446, 4)
    page.text(W / 2, 546, 'A Lectern book', 11, TEXT, '#d9c994', 'middle', .08)
    return page


def make(root):
    book = Book(root, '01-bedtime/01-the-night-ferry', 'The Night Ferry', 'Ilse Marow', stock='card')

    def left(name, *lines):
        shape = owl_shut if name == 'owl' else VIGNETTES.get(name, name)
        art = shape if name in ('owl', 'owl-open') else line_art(W / 2, 156, 1.15, shape)
        book.page(verse(book.index, lines, owl_open if name == 'owl-open' else art))

    owl_open, owl_shut = owl(1.5, 'open', W / 2, 176), owl(1.5, 'shut', W / 2, 176)
    book.drawn_by_hand()
    book.page(endpaper(), 'Endpaper: waves')
    book.page(title())
    left('lantern', 'For everyone', 'who is still awake')
    book.page(harbour())
    left('ticket', 'She has no timetable.', 'She goes', 'when everyone', 'who cannot sleep',
         'has come aboard.')
    book.page(queue())
    left('bell', 'At the last bell', 'the ferryman counts:', 'one heron, two foxes,',
         'a bear with a cello,', 'and a very small owl', 'who has paid', 'for the window seat.')
    book.drawn_by_hand()
    left('owl-open', 'Halfway over', 'the sea holds its breath.', 'Something much larger',
         'than the ferry', 'is humming the tune.')
    book.drawn_by_hand()
    left('cello', 'The bear lifts his bow.', 'He has never been joined', 'by a whale before.',
         'He begins again,', 'more slowly.')
    book.page(cello(), 'The bear plays the cello on deck, and the notes hang among the stars')
    left('anchor', 'Now the foxes dance,', 'very quietly,', 'so as not to wake', 'the anchor.')
    book.page(dance(), 'Two foxes dance under paper lanterns')
    left('watch', 'The heron,', 'who is never late,', 'looks at her watch', 'and finds it has stopped',
         'to listen.')
    book.page(watch(), 'The heron stands at the rail before a great moon')
    left('flake', 'Snow begins', 'over the middle of the sea.', 'It makes no more noise',
         'than a page', 'being turned.')
    book.page(snow(), 'The ferry, small, in falling snow')
    left('owl', 'They pass the lighthouse.', 'It winks.', 'The owl winks back.',
         'It is his first wink', 'and takes both eyes.')
    book.page(lighthouse(), 'The lighthouse throws its beam across the ferry')
    left('teapot', '“Tea,” says the ferryman,', 'and there is tea:', 'one thimble, one bowl,',
         'two saucers,', 'and a bucket for the bear.')
    book.page(tea())
    left(at(0, 6, '<path d="M-30 -4C-30 -24 30 -24 30 -4V20C30 32 -30 32 -30 20Z" fill="#8fb3a8"/>'
            '<path d="M30 0C48 -4 48 22 29 18M-30 -4C-30 8 30 8 30 -4M-44 34H44M-6 -32q-7 -7 0 -14t0'
            ' -14M10 -32q-7 -7 0 -14t0 -14"/>'),
         'Then, one by one,', 'the yawns go round', 'the way the cups did,', 'until the owl has had his',
         'and asks for another.')
    book.page(asleep(), 'Everyone is asleep on deck, heaped on the bear')
    left('rope', 'On the far side of the night', 'there is a small stone quay.', 'Nobody has seen it',
         'with their eyes open.')
    book.page(landing(), 'At first light the ferry comes to the quay')
    left('drawer', 'Someone carries the bear.', '(It takes the whole tide.)', 'Someone folds the light',
         'and lays it in a drawer.')
    book.page(empty_sea())
    left('shell', 'In the morning', 'there may be a little sea-salt', 'on your pillow,',
         'and you will know', 'all the low notes.')
    book.page(endpaper(), 'Endpaper: waves')
    book.page(back())
    assert book.count == 32, book.count
