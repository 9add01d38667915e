"""A small deck of slides as a PDF, set in the page's own type, with maps of the sample library."""

import base64

from server import ROOT

SIZE = (960, 540)
ATLAS = ROOT / "Web" / "library" / "02-reading-room" / "01-an-atlas-of-small-islands"
FACES = {"normal": "EBGaramond12-Regular", "italic": "EBGaramond12-Italic"}
STYLE = """
@page{size:960px 540px;margin:0}
*{margin:0;box-sizing:border-box}
body{font-family:Deck;color:#16393f;-webkit-print-color-adjust:exact}
section{position:relative;width:960px;height:540px;overflow:hidden;break-after:page}
section{padding:64px 72px;background:#f7f1e3}
h1{font-size:78px;font-weight:400;line-height:1;color:#f7f1e3}
h2{font-size:46px;font-weight:400;margin-bottom:30px}
p,li{font-size:25px;line-height:1.5}
ul{padding-left:24px;width:340px}
em{color:#b5352a}
section.first{background:#12474d;padding-top:170px}
.first p{color:#e3d3a8;font-style:italic;margin-top:20px}
img{position:absolute;right:0;top:0;height:540px;width:480px;object-fit:cover}
.bars{display:flex;align-items:flex-end;gap:26px;height:290px;border-bottom:2px solid #16393f}
.bars i{position:relative;flex:1;background:#2f7f83;font-style:normal}
.bars i:nth-child(4){background:#b5352a}
.bars b{position:absolute;left:0;right:0;top:-34px;text-align:center;font-weight:400;font-size:22px}
.names{display:flex;gap:26px;padding-top:8px}
.names span{flex:1;text-align:center;font-size:21px;font-style:italic}
"""
SPEEDS = {"Hollow Sound": 2.1, "Pilot's Gut": 3.4, "The Narrows": 4.2, "Teacup Race": 6.8, "Long Reach": 1.6}


def data(kind, path):
    """Returns a file as an address that holds it."""
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def slides():
    """Returns the slides as the text of a page."""
    faces = "".join(
        f"@font-face{{font-family:Deck;font-style:{style};"
        f"src:url({data('font/woff2', ROOT / 'Web' / 'fonts' / f'{name}.woff2')})}}"
        for style, name in FACES.items()
    )
    bars = "".join(f'<i style="height:{38 * speed}px"><b>{speed} kn</b></i>' for speed in SPEEDS.values())
    names = "".join(f"<span>{name}</span>" for name in SPEEDS)
    chart = f'<img src="{data("image/svg+xml", ATLAS / "004.svg")}">'
    return f"""<!doctype html><meta charset="utf-8"><title>Reading the Tide</title><style>{faces}{STYLE}</style>
<section class="first"><h1>Reading the Tide</h1><p>Five passages between small islands</p></section>
<section><h2>Before you cross</h2><ul><li>Ask when the water <em>turns</em>, not when it is high.</li>
<li>The sound is widest where the chart is empty.</li><li>Count the buoys twice.</li></ul>{chart}</section>
<section><h2>How fast the water runs at springs</h2>
<div class="bars">{bars}</div><div class="names">{names}</div></section>
<section class="first"><h1>Thank you</h1><p>And mind the Teacup Race.</p></section>"""


def write_deck(chromium, path):
    """Prints the slides to a file."""
    reader = chromium.reader(*SIZE)
    try:
        reader.page.set_content(slides())
        reader.wait_for("document.fonts.ready.then(() => true)")
        reader.page.pdf(path=path, width=f"{SIZE[0]}px", height=f"{SIZE[1]}px", print_background=True)
    finally:
        reader.close()
