internal import Foundation

/// The time for which a certificate is valid, read from a PEM file.
struct CertificateDates: Equatable {
  let from: Date
  let until: Date

  /// Reads the first certificate of a file; nil if there is none that can be read.
  init?(pem text: String) {
    let begin = "-----BEGIN CERTIFICATE-----"
    let end = "-----END CERTIFICATE-----"
    guard let start = text.range(of: begin),
      let stop = text.range(of: end, range: start.upperBound..<text.endIndex),
      let data = Data(
        base64Encoded: String(text[start.upperBound..<stop.lowerBound]),
        options: .ignoreUnknownCharacters
      )
    else { return nil }
    // The body of a certificate has a version [0], which may be absent, a serial number, an
    // algorithm, an issuer, and then the two times.
    var file = DERReader(Array(data)[...])
    guard var certificate = file.enter(0x30), var body = certificate.enter(0x30) else { return nil }
    if body.nextTag == 0xA0 { _ = body.next() }
    for _ in 0..<3 { guard body.next() != nil else { return nil } }
    guard var validity = body.enter(0x30), let from = validity.time(),
      let until = validity.time()
    else { return nil }
    (self.from, self.until) = (from, until)
  }
}

/// Reads values in the Distinguished Encoding Rules of ASN.1.
private struct DERReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var nextTag: UInt8? { bytes.first }

  /// Reads a value and returns its tag and content; nil at the end or if it is cut off.
  mutating func next() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
    guard let tag = bytes.popFirst(), let first = bytes.popFirst() else { return nil }
    var count = Int(first)
    if first >= 0x80 {
      guard 1...4 ~= first & 0x7F, bytes.count >= Int(first & 0x7F) else { return nil }
      count = bytes.prefix(Int(first & 0x7F)).reduce(0) { $0 << 8 | Int($1) }
      bytes = bytes.dropFirst(Int(first & 0x7F))
    }
    guard count <= bytes.count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return (tag, bytes.prefix(count))
  }

  /// Reads a value with a tag and returns a reader of its content.
  mutating func enter(_ tag: UInt8) -> DERReader? {
    guard let value = next(), value.tag == tag else { return nil }
    return DERReader(value.content)
  }

  /// Reads a time in UTC: with a year of two digits (tag 23), or of four (tag 24).
  mutating func time() -> Date? {
    guard let (tag, content) = next(), [23, 24].contains(tag), content.last == UInt8(ascii: "Z"),
      content.dropLast().allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    let digits = content.dropLast().map { Int($0) - 0x30 }
    guard digits.count == (tag == 23 ? 12 : 14) else { return nil }
    let pairs = stride(from: 0, to: digits.count, by: 2).map { 10 * digits[$0] + digits[$0 + 1] }
    let rest = pairs.suffix(5).map(\.self)
    var parts = DateComponents()
    // RFC 5280: years of two digits are from 1950 to 2049.
    parts.year = tag == 24 ? 100 * pairs[0] + pairs[1] : pairs[0] + (pairs[0] < 50 ? 2000 : 1900)
    (parts.month, parts.day) = (rest[0], rest[1])
    (parts.hour, parts.minute, parts.second) = (rest[2], rest[3], rest[4])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: parts)
  }
}
