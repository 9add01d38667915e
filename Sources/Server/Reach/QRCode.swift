internal import CQREncode
internal import Glibc

/// A QR code (ISO/IEC 18004): a square of dark and light modules.
struct QRCode: Equatable, Sendable {
  /// The maximum length of the text, in bytes of UTF-8.
  static let textMax = 512
  /// The width of the light margin on each side, in modules.
  static let quietZone = 4

  /// The number of modules on each side, without the margin.
  let side: Int
  /// Whether each module is dark, row by row.
  let modules: [Bool]

  /// Encodes a text; nil if the text is empty, too long, or contains a zero byte.
  ///
  /// A code can still be read if a seventh of it is wrong (level M).
  init?(_ text: String) {
    guard 1...Self.textMax ~= text.utf8.count, !text.utf8.contains(0),
      let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
    else { return nil }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    let bytes = UnsafeBufferPointer(start: code.pointee.data, count: side * side)
    // The other bits say what a module is used for.
    modules = bytes.map { $0 & 1 == 1 }
  }

  /// An SVG document with the dark modules on a transparent background, one unit for each module.
  var svg: String {
    let size = side + 2 * Self.quietZone
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size) \(size)\" "
      + "shape-rendering=\"crispEdges\"><path fill=\"#23272B\" d=\"\(path)\"/></svg>\n"
  }

  /// The path of the dark modules: a rectangle for each run of them in a row.
  private var path: String {
    var path = ""
    for y in 0..<side {
      var x = 0
      while x < side {
        let run = modules[y * side + x..<(y + 1) * side].prefix { $0 }.count
        if run > 0 { path += "M\(x + Self.quietZone) \(y + Self.quietZone)h\(run)v1h-\(run)z" }
        x += max(run, 1)
      }
    }
    return path
  }
}
