internal import CPoppler
internal import Glibc
internal import PressProtocol

/// The process that opens one untrusted document and answers requests about it.
package enum DocumentPress {
  /// Runs the press until the standard input is closed.
  ///
  /// The document is open as descriptor 3; without it, the press processes single images.
  ///
  /// With `--missing-fonts` it only prints the languages for which no font is installed, and with
  /// `--confinement` only its `ConfinementReport`.
  /// - Parameter arguments: Limits that differ from the standard (`PressLimits.arguments`), the
  ///   program of the layout engine as `--engine=PATH`, and `--check-fonts` if fonts for the text
  ///   of PDFs may be missing.
  package static func run(_ arguments: [String]) -> Never {
    if arguments == ["--missing-fonts"] {
      for language in InstalledFonts.missing() { print(language) }
      exit(0)
    }
    if arguments == [ConfinementReport.argument] {
      let report = Confinement.enter(PressLimits(), for: .image, keeping: [0, 1, 2])
      let bytes = Array(report.text.utf8)
      _ = write(1, bytes, bytes.count)
      exit(0)
    }
    var limits = PressLimits()
    var engine: String?
    var checksFonts = false
    for argument in arguments where !limits.parse(argument) {
      if argument == "--check-fonts" {
        checksFonts = true
        continue
      }
      guard argument.hasPrefix("--engine=") else {
        complain("\(argument) is not a limit of a press; use --NAME=NUMBER")
        exit(2)
      }
      engine = String(argument.dropFirst("--engine=".count))
    }
    let (session, pipe) = begin(limits, engine: engine, checksFonts: checksFonts)
    session.serve(pipe)
    exit(0)
  }

  /// Confines this process exactly like a press before its first request, so that tests can check
  /// which operations remain possible.
  /// - Returns: Whether this worked. Afterwards, printed text goes to the standard error.
  package static func confine() -> Bool { begin(PressLimits()).session.confinement == nil }

  private static func begin(
    _ limits: PressLimits,
    engine: String? = nil,
    checksFonts: Bool = false
  ) -> (session: Session, pipe: ReplyPipe) {
    guard let pipe = ReplyPipe() else {
      complain("there is no descriptor left for the replies")
      exit(1)
    }
    heedSignals()
    // Files cannot grow here. SIGXFSZ must not end the press when its diagnostics go to a file.
    signal(SIGXFSZ, SIG_IGN)
    // The end of the layout engine is a fault of the book, and that of the server ends the press.
    signal(SIGPIPE, SIG_IGN)
    // The locale determines how names in archives are converted.
    setlocale(LC_ALL, "C.UTF-8")
    let document: Int32? = fcntl(3, F_GETFD) < 0 ? nil : 3
    var source = Source(descriptor: document)
    source.checksFonts = checksFonts
    // It starts with the first text of the book.
    let prepared = engine.flatMap { source.mayNeedLayout ? Engine.prepare($0, limits) : nil }
    source.connection = prepared?.tools
    prepare(for: source.kind, needsLayout: prepared != nil)
    var kept: [Int32] = [0, 1, 2, pipe.descriptor]
    if let document { kept.append(document) }
    if let prepared { kept += prepared.descriptors }
    let confinement = Confinement.enter(limits, for: source.kind, keeping: kept)
    return (Session(source: source, limits: limits, confinement: confinement.fault), pipe)
  }

  /// Loads libraries before the process is confined, while it can still read them.
  ///
  /// The libraries for images depend on a hundred others. A press for a PDF does not load them, so
  /// its first page appears 60 ms earlier.
  private static func prepare(for kind: Source.Kind, needsLayout: Bool) {
    guard kind != .pdf else {
      // Poppler converts passwords to Latin-1, and all other texts from UTF-16. A converter stays
      // loaded as long as one is open.
      for (to, from) in [("ISO8859-1", "UTF-8"), ("UTF-8", "UTF-16BE"), ("UTF-8", "UTF-16LE")] {
        _ = g_iconv_open(to, from)
      }
      return
    }
    for charset in Hyphenation.charsets where needsLayout { _ = g_iconv_open(charset, "UTF-8") }
    if kind == .fictionBook || kind == .archive(.zip) {
      for charset in ["WINDOWS-1251", "KOI8-R"] { _ = g_iconv_open("UTF-8", charset) }
    }
    if case .archive = kind {
      for charset in EntryNames.charsets { _ = g_iconv_open("UTF-8", charset) }
    }
    if [.djvu, .text, .mobi, .fictionBook, .package].contains(kind) { return }
    if Vips.library == nil { complain("libvips is missing; images cannot be read") }
    if SVG.library == nil { complain("librsvg is missing; SVG cannot be read") }
  }

  /// Unblocks all signals: the thread that started the press may have blocked some, and the signal
  /// of the CPU limit must end it.
  ///
  /// Requests to stop are those of the server, which ends its presses; a service manager or a
  /// terminal sends them to all processes of a group.
  private static func heedSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGXCPU, SIG_DFL)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
  }

  /// Writes a line for the server's log.
  static func complain(_ line: String) {
    let bytes = Array("lectern-press: \(line)\n".utf8)
    _ = write(2, bytes, bytes.count)
  }
}
