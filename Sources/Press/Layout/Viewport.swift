/// The size that a page of a fixed layout declares.
enum Viewport {
  /// The size of a page that declares none, in CSS pixels: that of a tablet.
  static let standard = (width: 768.0, height: 1024.0)
  /// The longest side of a page, in CSS pixels.
  private static let sideMax = 16_000.0

  /// Reads a text such as `width=1200, height=1600`; nil without both numbers.
  static func size(_ text: String) -> (width: Double, height: Double)? {
    var values: [String: Double] = [:]
    // Spaces may stand around the signs, or in place of commas.
    let text = text.lowercased().replacing(/\s*=\s*/, with: "=")
    for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isWhitespace }) {
      let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard pair.count == 2, let number = number(pair[1]) else { continue }
      values[pair[0]] = values[pair[0]] ?? number
    }
    return checked(values["width"], values["height"])
  }

  /// Reads a text such as `1200x1600`.
  static func size(resolution: String) -> (width: Double, height: Double)? {
    let sides = resolution.lowercased().split(separator: "x").map { number(String($0).trimmed) }
    return sides.count == 2 ? checked(sides[0], sides[1]) : nil
  }

  /// Reads the size of a drawing: its box, or else its width and height.
  static func size(
    ofDrawing box: String?,
    _ width: String?,
    _ height: String?
  ) -> (
    width: Double, height: Double
  )? {
    let sides = (box ?? "").split { $0 == " " || $0 == "," || $0.isNewline }.map { Double($0) }
    if sides.count == 4, let size = checked(sides[2], sides[3]) { return size }
    return checked(width.flatMap(number), height.flatMap(number))
  }

  /// Returns the number at the start of a text, which may have a unit.
  private static func number(_ text: String) -> Double? {
    if text.hasSuffix("%") { return nil }
    return Double(text.prefix { $0.isNumber || $0 == "." })
  }

  /// Returns a size within the limits of pages; nil for any other.
  static func checked(
    _ width: Double?,
    _ height: Double?
  ) -> (
    width: Double, height: Double
  )? {
    guard let width, let height, width.isFinite, height.isFinite, width >= 1, height >= 1,
      max(width, height) <= sideMax
    else { return nil }
    return (width, height)
  }
}
