/// One line of the head of an answer.
public struct HTTPField: Hashable, Sendable {
  /// The name, in lower case.
  public let name: String
  /// The value.
  public let value: String

  /// A field.
  /// - Precondition: The name is a lower case token, and neither holds a control character: a line
  ///   end in a value would let whoever chose it write the rest of the answer.
  public init(_ name: String, _ value: String) {
    precondition(!name.isEmpty && name.utf8.allSatisfy { Self.isTokenByte($0) }, "No name: \(name)")
    precondition(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }, "\(name)")
    self.name = name
    self.value = value
  }

  /// Takes every right from a document that came with a book: it runs nothing and loads nothing.
  ///
  /// An image in a page works as ever. This is for whoever opens its address alone, where a
  /// picture of SVG is a document of this origin.
  public static let sandbox = HTTPField(
    "content-security-policy",
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
  )

  /// Says that the content is compressed.
  static let gzip = HTTPField("content-encoding", "gzip")
  /// Says that other clients may get the same content in another coding.
  static let variesByCoding = HTTPField("vary", "accept-encoding")

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || byte == UInt8(ascii: "-")
  }
}

/// An answer to a request.
public struct HTTPResponse: Equatable, Sendable {
  /// Where the bytes of an answer come from.
  public enum Body: Equatable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// The regular file at this path, sent by the kernel from its cache. The path is trusted.
    ///
    /// A file that is not there gives 404.
    case file(String)
  }

  /// What a browser may keep.
  public enum Caching: Equatable, Sendable {
    /// Keep nothing.
    case none
    /// Keep it, but ask each time whether it changed.
    case revalidate
    /// Keep it: what this address answers never changes.
    case immutable
    /// The same for the reader's own browser alone: a cache that several readers share keeps
    /// nothing.
    case privateImmutable

    var headerValue: String {
      switch self {
      case .none: "no-store"
      case .revalidate: "no-cache"
      case .immutable: "public, max-age=31536000, immutable"
      case .privateImmutable: "private, max-age=31536000, immutable"
      }
    }
  }

  /// The status code.
  public var status: Int
  /// The media type.
  public var contentType: String
  /// The content.
  public var body: Body
  /// What a browser may keep.
  public var caching: Caching
  /// Names this state of the content, without quotation marks; nil to have it made from the bytes
  /// or from the time and the size of the file.
  public var entityTag: String?
  /// Further fields.
  ///
  /// They stand in for the server's own of the same name, such as its security policy.
  public var fields: [HTTPField]

  /// An answer; without a caching rule nothing is kept.
  /// - Precondition: The tag, if any, is of visible ASCII without quotation marks.
  public init(
    status: Int = 200,
    contentType: String,
    body: Body,
    caching: Caching = .none,
    entityTag: String? = nil,
    fields: [HTTPField] = []
  ) {
    precondition(entityTag?.utf8.allSatisfy { 0x21...0x7e ~= $0 && $0 != 0x22 } ?? true)
    self.status = status
    self.contentType = contentType
    self.body = body
    self.caching = caching
    self.entityTag = entityTag
    self.fields = fields
  }

  /// A short answer in plain text.
  public static func text(status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      contentType: "text/plain; charset=utf-8",
      body: .bytes(Array(text.utf8))
    )
  }
}
