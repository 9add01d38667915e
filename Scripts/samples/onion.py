"""One Onion: forty suppers that start the same way, four to a page."""
import math
import random

from press import Book, H, INK, ITALIC, Page, ROMAN, TEXT, TEXT_ITALIC, W, at, n

PLUM, ROSE, PAPER, GOLD = '#5b1c3b', '#a84a73', '#f7efe2', '#d9b24a'

SUPPERS = (
    ('Soup, brown', 'Slice five more. Butter, an hour, no hurry. Stock, bread, cheese, the grill.'),
    ('Soup, white', 'Leeks for company, one potato, milk. Blend. Pepper, and a coat on.'),
    ('Soup, red', 'Two tins of tomatoes and a spoon of sugar. Cream if it has been that sort of day.'),
    ('Soup, green', 'Frozen peas, hot stock, four minutes. Mint from the windowsill.'),
    ('Dal', 'Red lentils, turmeric, water to cover twice. Cumin in hot butter over the top.'),
    ('Pilaf', 'Rice into the butter, then stock, then the lid, then leave it alone.'),
    ('Risotto', 'The opposite of pilaf. Do not leave it alone. Somebody may read to you.'),
    ('Omelette', 'The onion soft and gold, three eggs, one minute. Fold like a letter.'),
    ('Tortilla', 'Potatoes sliced thin, eggs, a plate, courage. Turn it over the sink.'),
    ('Frittata', 'As the last, without courage. It finishes under the grill.'),
    ('Tart', 'Pastry from the shop. Six eggs from nobody you know. Nutmeg.'),
    ('Pissaladière', 'Bread dough, anchovies in lozenges, an olive in each window.'),
    ('Flat bread', 'Flour, yoghurt, a dry pan. Pile the onion on and call it done.'),
    ('Pasta, Tuesday', 'Anchovy, chilli, the water from the pot. Breadcrumbs instead of cheese.'),
    ('Pasta, Sunday', 'Minced beef, a carrot, a glass of what you are drinking, three hours.'),
    ('Macaroni', 'The onion goes into the milk, gives what it can and is lifted out.'),
    ('Bolted beans', 'A tin of white beans, garlic, lemon, the good oil. Ten minutes.'),
    ('Chilli', 'Two tins of red beans and a square of chocolate. Better tomorrow.'),
    ('Chickpeas', 'Spinach in handfuls until you think there is too much. There is not.'),
    ('Shakshuka', 'Peppers, tomatoes, four wells, four eggs, a lid. Bread to do the digging.'),
    ('Curry, quick', 'Ginger, garlic, coconut milk, whatever is in the drawer that was green.'),
    ('Curry, slow', 'Chicken thighs, yoghurt, every brown jar. Wait until the neighbours knock.'),
    ('Goulash', 'As much onion as beef. Paprika, off the heat, or it sulks.'),
    ('Stew', 'Shin, carrots, barley, the low oven. Go for the long walk.'),
    ('Pie', 'Yesterday’s stew under a lid of pastry. Nobody needs to know.'),
    ('Hot-pot', 'Lamb below, potatoes above, the onion between them keeping the peace.'),
    ('Sausages', 'Brown them, then the onion, then a spoon of flour and the kettle. Mash.'),
    ('Liver', 'Very hot, very short. The onion was always the reason.'),
    ('Fish, baked', 'A bed of onion and fennel. A fish asleep on it. Twenty minutes.'),
    ('Fish, chowder', 'Potato, milk, smoked haddock, sweetcorn. Do not let it boil.'),
    ('Mussels', 'Wine, parsley, a big pot and the windows open. Shells in the other bowl.'),
    ('Kedgeree', 'Rice, smoked fish, curry powder, eggs. It says breakfast. It is not.'),
    ('Hash', 'Cold potatoes, cold anything, a hot pan and no stirring.'),
    ('Bubble', 'Cabbage joins the potatoes. Listen to it: that is the squeak.'),
    ('Fritters', 'Grated courgette, squeezed hard. One egg. Eat standing up.'),
    ('Bhajis', 'The onion by itself at last, in chickpea flour and its best suit.'),
    ('Stuffed', 'Hollow the onion, fill it with rice and its own middle. Bake.'),
    ('Roasted', 'In its skin, an hour, salt. Supper for one, with a spoon.'),
    ('Raw', 'Thin rings, vinegar, ten minutes. Cheese, bread, an apple.'),
    ('Toast', 'Any of the above, the next day, on toast.'),
)


def rings(page, x, y, radius, seed, count=8, gold=True):
    draw = random.Random(seed)
    for i in range(count):
        r = radius * (1 - i / count)
        wobble = [(r * (1 + draw.uniform(-.025, .025)), 2 * math.pi * k / 10) for k in range(10)]
        points = [(x + q * math.cos(a), y + q * math.sin(a)) for q, a in wobble]
        path = f'M{n((points[-1][0] + points[0][0]) / 2)} {n((points[-1][1] + points[0][1]) / 2)}'
        for k, (px, py) in enumerate(points):
            nx, ny = points[(k + 1) % 10]
            path += f'Q{n(px)} {n(py)} {n((px + nx) / 2)} {n((py + ny) / 2)}'
        page.add(f'<path d="{path}Z" fill="{("#f3dbe0", "#fbf1ee")[i % 2]}" '
                 f'stroke="{draw.choice((PLUM, ROSE, "#7f2d54"))}" '
                 f'stroke-width="{n(max(.8, radius / 34))}"/>')
    if gold:
        page.add(f'<circle cx="{x}" cy="{y}" r="{n(radius / 12)}" fill="{GOLD}"/>')


def half_onion(x, y, scale):
    layers = ''.join(
        f'<path fill="{("#f3dbe0", "#fbf1ee")[i % 2]}" stroke="{ROSE}" stroke-width="1.4" '
        f'd="M0 {-58 + 9 * i}C{n(16 - 2 * i)} {-36 + 6 * i} {62 - 9 * i} {-30 + 5 * i} {62 - 9 * i} '
        f'{8 - i}C{62 - 9 * i} {44 - 6 * i} {20 - 2 * i} {48 - 7 * i} 0 {50 - 7 * i}C{-20 + 2 * i} '
        f'{48 - 7 * i} {-62 + 9 * i} {44 - 6 * i} {-62 + 9 * i} {8 - i}C{-62 + 9 * i} {-30 + 5 * i} '
        f'{-16 + 2 * i} {-36 + 6 * i} 0 {-58 + 9 * i}Z"/>' for i in range(6))
    return at(x, y, f'<path fill="none" stroke="#b98a4a" stroke-width="2" stroke-linecap="round" '
              'd="M0 -58C-2 -70 -8 -76 -12 -84M0 -58C1 -70 6 -76 8 -86M0 50l-7 14M0 50l1 16M0 50l9 '
              f'12"/>{layers}', scale)


def make(root):
    book = Book(root, '02-reading-room/03-one-onion', 'One Onion', 'Berthe Collard')
    book.drawn_by_hand()
    end = Page(ground='#ead3d6')
    for k in range(12):
        rings(end, 60 + 121 * (k % 3), 70 + 142 * (k // 3), 50, k, 6, False)
    book.page(end, 'Endpaper: onion rings')
    page = Page(ground=PAPER)
    page.text(181, 150, 'One Onion', 52, ROMAN, PLUM, 'middle')
    page.text(181, 182, 'forty suppers that start the same way', 17, TEXT_ITALIC, ROSE, 'middle')
    page.add(half_onion(181, 330, 1.25))
    page.text(181, 500, 'Berthe Collard', 20, ROMAN, PLUM, 'middle')
    book.page(page)
    page = Page(ground=PAPER)
    page.text(36, 84, 'First, the onion', 29, ROMAN, PLUM)
    y = 122
    for text in ('Take off its coat. Cut it from pole to pole, lay the halves down flat and slice '
                 'towards the root, which holds everything together, as roots do.',
                 'Put a wide pan over a low flame with more butter than you would admit. When the '
                 'butter stops talking, add the onion and a pinch of salt.',
                 'Ten minutes for glass. Twenty for straw. Forty for toffee. Stir when you '
                 'remember. If it catches, a spoon of water forgives it.',
                 'People will now come into the kitchen and ask what you are making. You do not need '
                 'to know yet. Turn the page.'):
        y = page.paragraph(36, y, 290, text, 16, 22.5) + 9
    page.folio(book.index)
    book.page(page)
    for sheet in range(10):
        page = Page(ground=PAPER)
        side = book.index % 2
        rings(page, 330 if not side else 32, 20, 74, 200 + sheet, 7)
        y = 142
        for k in range(4):
            number = 4 * sheet + k
            name, how = SUPPERS[number]
            page.text(36, y, str(number + 1), 28, ITALIC, ROSE)
            page.text(82, y, name, 22, ROMAN, PLUM)
            page.paragraph(82, y + 25, 244, how, 15, 20.5, TEXT, INK)
            y += 100
        page.folio(book.index)
        book.page(page)
    page = Page(ground=PAPER)
    rings(page, 181, 214, 128, 9, 9)
    page.lines(181, 408, ['If you cried,', 'it was the onion.'], 24, 34, TEXT_ITALIC, PLUM)
    page.folio(book.index)
    book.page(page)
    back = Page(ground='#efe2d3')
    rings(back, 181, 620, 330, 77, 13)
    back.lines(181, 120, ['Flour may be borrowed,', 'wine may be found,', 'but begin with an onion.'],
               19, 29, TEXT_ITALIC, PLUM)
    book.page(back)
    assert len(SUPPERS) == 40 and book.count == 16, book.count
