/// A header field of a response.
package struct HTTPField: Hashable, Sendable {
  /// The name in lower case.
  package let name: String
  /// The value.
  package let value: String

  /// Creates a field.
  /// - Precondition: The name is a lower-case token, and neither name nor value contains a control
  ///   character. With a line end in a value, an attacker could write the rest of the response.
  package init(_ name: String, _ value: String) {
    precondition(!name.isEmpty && name.utf8.allSatisfy { Self.isTokenByte($0) }, "No name: \(name)")
    precondition(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }, "\(name)")
    self.name = name
    self.value = value
  }

  /// Removes all rights from a document that is part of a book: it runs no scripts and loads
  /// nothing.
  ///
  /// An image in a page is not affected. The field matters when somebody opens the image's address
  /// directly, because an SVG image is then a document of this origin.
  package static let sandbox = HTTPField(
    "content-security-policy",
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
  )

  /// Marks the content as compressed.
  static let gzip = HTTPField("content-encoding", "gzip")
  /// Tells caches that the coding depends on the request.
  static let variesByCoding = HTTPField("vary", "accept-encoding")

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || byte == UInt8(ascii: "-")
  }
}

/// A response to a request.
package struct HTTPResponse: Equatable, Sendable {
  /// The source of the bytes of a response.
  package enum Body: Equatable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The regular file at this path, which the kernel sends from its cache. The path is trusted.
    ///
    /// A missing file gives 404.
    case file(String)
  }

  /// How long a browser may cache the response.
  package enum Caching: Equatable, Sendable {
    /// Do not store it.
    case none
    /// Store it, but revalidate it each time.
    case revalidate
    /// Store it in the reader's own browser only, but revalidate it each time.
    case privateRevalidate
    /// Store it: the response at this address never changes.
    case immutable
    /// Store it in the reader's own browser, but not in a shared cache.
    case privateImmutable

    var headerValue: String {
      switch self {
      case .none: "no-store"
      case .revalidate: "no-cache"
      case .privateRevalidate: "private, no-cache"
      case .immutable: "public, max-age=31536000, immutable"
      case .privateImmutable: "private, max-age=31536000, immutable"
      }
    }
  }

  /// The status code.
  package var status: Int
  /// The media type.
  package var contentType: String
  /// The content.
  package var body: Body
  /// How long a browser may cache the response.
  package var caching: Caching
  /// The entity tag without quotation marks; nil to derive it from the bytes, or from the time and
  /// size of the file.
  package var entityTag: String?
  /// Additional fields.
  ///
  /// They replace the server's own fields of the same name, such as its security policy.
  package var fields: [HTTPField]

  /// Creates a response, which is not cached by default.
  /// - Precondition: The tag consists of visible ASCII characters without quotation marks.
  package init(
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

  /// Creates a short plain-text response.
  package static func text(status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      contentType: "text/plain; charset=utf-8",
      body: .bytes(Array(text.utf8))
    )
  }
}
