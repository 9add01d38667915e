"""EPUBs that attack their reader: they ask a network, read other files, or are too large to lay out."""

import zipfile

CONTAINER = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
NAVIGATION = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head>
<title>c</title></head><body><nav epub:type="toc"><ol><li><a href="t.xhtml">Text</a></li></ol></nav></body></html>"""
# What each book that can be opened shows.
WORDS = "Plain words."


def page(body, head="", before=""):
    """Returns a text of a book."""
    return (f'{before}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>{head}</head>'
            f"<body><p>{WORDS}</p>{body}</body></html>")


def write(path, text, files=(), spine=1, package=""):
    """Writes an EPUB whose only text is in its spine as often as `spine` says."""
    items = "".join(f'<item id="t{one}" href="t.xhtml?{one}" media-type="application/xhtml+xml"/>'
                    if one else '<item id="t0" href="t.xhtml" media-type="application/xhtml+xml"/>'
                    for one in range(spine))
    references = "".join(f'<itemref idref="t{one}"/>' for one in range(spine))
    opf = package or (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0" '
        'unique-identifier="id"><metadata><dc:title>Hostile</dc:title><dc:language>en</dc:language></metadata>'
        f'<manifest>{items}<item id="nav" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/>'
        f"</manifest><spine>{references}</spine></package>")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, data in [("META-INF/container.xml", CONTAINER), ("OPS/book.opf", opf),
                           ("OPS/nav.xhtml", NAVIGATION), ("OPS/t.xhtml", text), *files]:
            book.writestr(name, data)
    return path


def symlink(name, target):
    """Returns an entry of an archive that is a symbolic link."""
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    return entry, target


def everywhere(address):
    """Returns a text that asks for an address in each way that HTML, CSS, SVG and MathML have."""
    head = f"""<link rel="stylesheet" href="{address}"/><link rel="prefetch" href="{address}"/>
    <link rel="preload" as="font" href="{address}"/><link rel="dns-prefetch" href="{address}"/>
    <link rel="preconnect" href="{address}"/><link rel="manifest" href="{address}"/><link rel="icon" href="{address}"/>
    <meta http-equiv="refresh" content="0;url={address}"/><base href="{address}"/><script src="{address}"></script>
    <script>new WebSocket('{address}'); navigator.sendBeacon('{address}'); fetch('{address}');
    navigator.serviceWorker.register('{address}'); location = '{address}'</script>
    <?xml-stylesheet href="{address}"?>
    <style>@import "{address}"; @import url({address}); @font-face {{font-family: f; src: url({address})}}
    p {{font-family: f; background: url({address}); cursor: url({address}), auto; list-style: url({address})}}
    p::before {{content: url({address})}} p {{mask: url({address}#m); filter: url({address}#f);
    shape-outside: url({address});
    border-image: url({address}) 1; clip-path: url({address}#c)}}
    p {{background: image-set(url({address}) 1x)}}</style>"""
    body = f"""<img src="{address}" srcset="{address} 2x"/><picture>
    <source srcset="{address}"/><img src="{address}"/>
    </picture><iframe src="{address}"></iframe><iframe srcdoc="&lt;img src='{address}'&gt;"></iframe>
    <object data="{address}"></object><embed src="{address}"/><video src="{address}" poster="{address}"></video>
    <audio src="{address}" autoplay=""></audio><track src="{address}"/><input type="image" src="{address}"/>
    <form id="f" action="{address}"><button autofocus="" onfocus="f.submit()">b</button></form>
    <a href="{address}" ping="{address}">a</a>
    <table background="{address}"><tr><td background="{address}">c</td></tr></table>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">
    <image href="{address}" width="9" height="9"/><image xlink:href="{address}" width="9" height="9"/>
    <use href="{address}#x"/><use xlink:href="{address}#x"/><script href="{address}"/><rect fill="url({address}#p)"/>
    <feImage href="{address}"/><style>@import "{address}";</style><foreignObject>
    <iframe xmlns="http://www.w3.org/1999/xhtml"
    src="{address}"/></foreignObject><a href="{address}"><animate attributeName="href" to="{address}"/></a></svg>
    <math xmlns="http://www.w3.org/1998/Math/MathML" href="{address}"><mi href="{address}">x</mi></math>
    <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{address}" parse="text"/>
    <p style="background: url({address})">s</p>"""
    return page(body, head)


def external(address):
    """Returns a text with entities and a document type of another file."""
    return page("<p>&one; &two;</p>", before=f"""<?xml version="1.0"?><?xml-stylesheet href="{address}"?>
    <!DOCTYPE html SYSTEM "{address}" [<!ENTITY one SYSTEM "{address}"><!ENTITY % p SYSTEM "{address}"> %p;
    <!ENTITY two PUBLIC "x" "{address}">]>""")


def laughs():
    """Returns a text whose entities are ten to the power of nine letters."""
    lines = ['<!ENTITY e0 "haha">'] + [f'<!ENTITY e{one} "{f"&e{one - 1};" * 10}">' for one in range(1, 10)]
    return page('<p title="&e9;">&e9;</p>', before=f"<!DOCTYPE html [{''.join(lines)}]>")


def heavy():
    """Yields the names and arguments of books that cost a layout much."""
    yield "laughs", {"text": laughs()}
    yield "nested", {"text": page("<div>" * 100_000 + "deep" + "</div>" * 100_000)}
    yield "table", {"text": page("<table>" + f"<tr>{'<td>c</td>' * 100}</tr>" * 2_000 + "</table>")}
    yield "span", {"text": page('<table><tr><td colspan="1000" rowspan="65534">c</td></tr></table>' * 20)}
    yield "breaks", {"text": page('<p style="break-after: page">p</p>' * 100_000)}
    yield "wide", {"text": page('<pre style="width: 1e9in; white-space: pre !important">' + "w" * 100_000 + "</pre>")}
    yield "sized", {"text": page("", "<style>@page {size: 1e7in 1e7in !important; margin: 0}</style>")}
    yield "moving", {"text": page('<p style="animation: a 1ms infinite">m</p><script>for (;;) ;</script>',
                                  "<style>@keyframes a {to {margin: 9em}}</style>")}
    yield "spine", {"text": page(""), "spine": 100_000}


def reaching(marker):
    """Yields the names and arguments of books that read a file outside of them."""
    up = "../" * 12 + str(marker).lstrip("/")
    yield "file", {"text": everywhere(f"file://{marker}")}
    yield "path", {"text": everywhere(str(marker))}
    yield "up", {"text": everywhere(up)}
    yield "entity", {"text": external(f"file://{marker}")}
    yield "link", {"text": everywhere("link"), "files": [symlink("OPS/link", str(marker))]}
    yield "entry", {"text": page(""), "files": [("../" * 12 + "tmp/escaped-from-lectern", "out"),
                                                ("/tmp/escaped-from-lectern", "out")]}
