internal import CPoppler

/// The opening of libraries, before the process is confined and while it may still read them.
///
/// The libraries for images come with a hundred others. A press for a PDF does without, which
/// makes its first page come 60 ms sooner.
enum Preparation {
  static func run(for kind: Source.Kind) {
    guard kind != .pdf else {
      // Passwords are converted; the converter stays loaded as long as one is open.
      _ = g_iconv_open("ISO8859-1", "UTF-8")
      return
    }
    if Vips.library == nil { Press.complain("libvips is missing; images cannot be read") }
    if SVG.library == nil { Press.complain("librsvg is missing; SVG cannot be read") }
  }
}
