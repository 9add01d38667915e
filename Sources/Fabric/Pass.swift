/// What a member may read over HTTP, without the library's key, for a short time.
///
/// A room writes a pass for each of its members and signs its ``text``; any process that has the
/// key of the signature can check it without asking the room.
package struct Pass: Equatable, Sendable {
  /// A part of the library, as a text without a tilde.
  package struct Part: Equatable, Sendable {
    fileprivate let text: Substring

    /// All books and ledges.
    package static let library = Part(text: "all")
    /// The book with an id.
    package static func book(_ id: String) -> Part { Part(text: "b-\(id)") }
    /// The collection with an id: its ledge, and all books on it.
    package static func collection(_ id: String) -> Part { Part(text: "c-\(id)") }

    /// The id of the book; nil for another part.
    package var book: String? { text.hasPrefix("b-") ? String(text.dropFirst(2)) : nil }
  }

  /// How long a pass opens anything, in seconds.
  package static let seconds = 120.0
  /// How often a room renews the passes of its members, in seconds: a member that loses its
  /// connection has a pass for at least as long as it may rejoin.
  package static let renewalSeconds = 50.0
  /// The maximum number of parts; further ones are left out.
  package static let partsMax = 40
  /// The maximum length of a signed pass, in bytes.
  package static let bytesMax = 2048

  /// The member, which shares the rendering of pages with others.
  package let member: MemberID
  /// When it was written, in Unix seconds.
  package let issued: Double
  /// What it opens.
  package let parts: [Part]

  /// Creates a pass.
  package init(of member: MemberID, issued: Double, parts: [Part]) {
    (self.member, self.issued, self.parts) = (member, issued, parts)
  }

  /// Whether it opens a part of the library by itself.
  package func names(_ part: Part) -> Bool { parts.contains(.library) || parts.contains(part) }

  /// Whether it is neither too old nor dated in the future, apart from clocks that differ.
  package func isValid(at date: Double) -> Bool { abs(date - issued) < Self.seconds }

  /// The pass as characters that need no escaping in an address or a cookie, without a signature.
  package var text: String {
    let head = ["\(member.rawValue)", "\(issued.bitPattern)"]
    return (head + parts.prefix(Self.partsMax).map { String($0.text) }).joined(separator: "~")
  }

  /// Reads a pass; nil if the text is not one.
  package init?(text: String) {
    let fields = text.split(separator: "~", omittingEmptySubsequences: false)
    guard fields.count >= 2, let member = UInt32(fields[0]), let bits = UInt64(fields[1])
    else { return nil }
    let parts = fields.dropFirst(2).map { Part(text: $0) }
    self.init(of: MemberID(member), issued: Double(bitPattern: bits), parts: parts)
  }
}
