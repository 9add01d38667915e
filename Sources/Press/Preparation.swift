internal import CPoppler

/// Loads libraries before the process is confined, while it can still read them.
///
/// The libraries for images depend on a hundred others. A press for a PDF does not load them, so
/// its first page appears 60 ms earlier.
enum Preparation {
  static func run(for kind: Source.Kind) {
    guard kind != .pdf else {
      // Poppler converts passwords to Latin-1, and all other texts from UTF-16. A converter stays
      // loaded as long as one is open.
      for (to, from) in [("ISO8859-1", "UTF-8"), ("UTF-8", "UTF-16BE"), ("UTF-8", "UTF-16LE")] {
        _ = g_iconv_open(to, from)
      }
      return
    }
    if Vips.library == nil { DocumentPress.complain("libvips is missing; images cannot be read") }
    if SVG.library == nil { DocumentPress.complain("librsvg is missing; SVG cannot be read") }
  }
}
