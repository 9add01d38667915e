internal import CPoppler

/// The opening of libraries, before the process is confined and while it may still read them.
///
/// The libraries for images come with a hundred others. A press for a PDF does without, which
/// makes its first page come 60 ms sooner.
enum Preparation {
  static func run(for kind: Source.Kind) {
    guard kind != .pdf else {
      // Poppler converts passwords into Latin-1 and all other texts out of UTF-16. A converter
      // stays loaded as long as one is open.
      for (to, from) in [("ISO8859-1", "UTF-8"), ("UTF-8", "UTF-16BE"), ("UTF-8", "UTF-16LE")] {
        _ = g_iconv_open(to, from)
      }
      return
    }
    if Vips.library == nil { DocumentPress.complain("libvips is missing; images cannot be read") }
    if SVG.library == nil { DocumentPress.complain("librsvg is missing; SVG cannot be read") }
  }
}
