internal import CSandbox
internal import Glibc
internal import PressProtocol

extension ConfinementReport {
  /// The fault with which to answer all requests; nil if there is none.
  var fault: PressFault? { if case .failed(let call) = self { .unconfined(call) } else { nil } }
}

/// Confines this process.
enum Confinement {
  /// The folders that can be read: fonts, and what Poppler needs for text in East Asian encodings.
  private static let readable = [
    "/etc/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/usr/share/fonts",
    "/usr/share/hyphen", "/usr/share/poppler", "/var/cache/fontconfig",
  ]

  /// The number of threads that the libraries for images may have at once; those for PDF need none.
  ///
  /// At most 13 were seen, which Pango uses to look for fonts; AVIF uses 5.
  private static let imageThreads: UInt32 = 24

  /// Closes all descriptors except the given ones and confines this process irrevocably.
  /// - Returns: How it is confined.
  static func enter(
    _ limits: PressLimits,
    for kind: Source.Kind,
    keeping descriptors: [Int32]
  ) -> ConfinementReport {
    let kept = descriptors.sorted()
    guard lectern_close_others(kept, kept.count) == 0 else { return failure(of: "close_range") }
    let memory = kind == .pdf ? limits.memory.pdfBytes : limits.memory.imageBytes
    guard lectern_limit_memory(UInt64(memory)) == 0 else { return failure(of: "setrlimit") }
    let paths = readable.map { strdup($0) }
    defer { for path in paths { free(path) } }
    var call: UnsafePointer<CChar>?
    let state = paths.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
      lectern_confine(paths.baseAddress, paths.count, kind == .pdf ? 0 : imageThreads, &call)
    }
    if state < 0 { return failure(of: call.map { String(cString: $0) } ?? "confine") }
    return state > 0 ? .withoutFiles : .whole
  }

  /// Limits the CPU time from now on.
  static func allow(seconds: Int) {
    if lectern_allow_seconds(UInt32(clamping: seconds)) != 0 {
      DocumentPress.complain("the time could not be limited: \(String(cString: strerror(errno)))")
    }
  }

  private static func failure(of call: String) -> ConfinementReport {
    .failed("\(call): \(String(cString: strerror(errno)))")
  }
}
