internal import Glibc

/// Standard output and standard error.
enum Console {
  /// Writes a text to the standard output.
  /// - Throws: ``CommandError/failed(_:)`` if the output is closed, or its disk or reader is gone.
  static func write(_ text: String) throws(CommandError) {
    if let code = put(text, to: STDOUT_FILENO) {
      throw .failed("the output cannot be written: \(String(cString: strerror(code)))")
    }
  }

  /// Returns a text of somebody else on one line, without the control characters that a terminal
  /// would obey.
  static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Writes a line to the standard error, as far as that is possible.
  static func error(_ text: String) { _ = put(text + "\n", to: STDERR_FILENO) }

  /// Shows a text on the standard error without ending its line.
  static func show(_ text: String) { _ = put(text, to: STDERR_FILENO) }

  /// Writes all bytes.
  /// - Returns: The error of the system; nil if everything was written.
  private static func put(_ text: String, to file: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes -> Int32? in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(file, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return nil
    }
  }

  /// Prepares the process, first of all: a file that it opens never gets the number of a standard
  /// stream that is closed, and a reader that has ended is an error of the write, not a signal.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is that of the stream. Writing to it fails, as to a closed one.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}

/// Lines of the standard output, which are written in blocks.
struct LineOutput {
  private static let blockBytes = 1 << 16
  private var text = ""

  /// Adds a line.
  /// - Throws: ``CommandError/failed(_:)`` if the output cannot be written, so that nobody computes
  ///   further lines.
  mutating func add(_ line: String) throws(CommandError) {
    text += line + "\n"
    if text.utf8.count > Self.blockBytes { try finish() }
  }

  /// Writes the rest.
  mutating func finish() throws(CommandError) {
    try Console.write(text)
    text = ""
  }
}
