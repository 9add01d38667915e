internal import Bytes
internal import Fabric
internal import Scene
internal import Wire

/// A hello on its way into a room: who sent it, and what its secrets open.
///
/// It is made once, so that each secret is read once; the decision, the room and its roster use it.
struct Arrival: Sendable {
  /// The least length of a reader's secret, in bytes: a shorter one could be guessed.
  static let secretMin = 22

  /// The number that the gateway gave the connection.
  let id: MemberID
  let hello: Hello
  /// The address that the hello comes from, in digits.
  let address: String
  let reader: ReaderID
  /// The secret that the reader is to send from now on; empty if it has sent one.
  let freshSecret: String
  /// The pass that the reader sends with the addresses of pictures and books, see ``Welcome/pass``.
  let pass: String
  /// Whether the reader may open the library: the library has no key, or the hello carries it.
  let opensLibrary: Bool
  /// Whether the library has a key, and the hello carries it.
  let hasLibraryKey: Bool
  /// The digest of the resume token that the hello carries; nil for none.
  let resumed: [UInt8]?
  /// The token with which the member can rejoin from now on, and its digest.
  let token: (secret: String, digest: [UInt8])

  /// Whether the reader has been here before, as far as is known.
  var hasReturned: Bool { freshSecret.isEmpty }

  init(_ id: MemberID, _ hello: Hello, from address: String, environment: Environment) {
    (self.id, self.hello, self.address) = (id, hello, address)
    let isKnown = hello.reader.utf8.count >= Self.secretMin
    freshSecret = isKnown ? "" : environment.secret()
    let secret = isKnown ? hello.reader : freshSecret
    reader = ReaderID(digest: environment.digest(secret))
    pass = Self.pass(of: secret, environment: environment)
    opensLibrary = environment.opensLibrary(hello.key)
    hasLibraryKey = environment.keys.library != nil && opensLibrary
    resumed = hello.resume.isEmpty ? nil : environment.digest(hello.resume)
    let resume = environment.secret()
    token = (resume, environment.digest(resume))
  }

  /// Returns the first 128 bits of another digest, in hexadecimal digits.
  ///
  /// A pass stays the same for a reader, so that a browser finds the pictures in its cache, and it
  /// does not reveal the secret.
  private static func pass(of secret: String, environment: Environment) -> String {
    Hexadecimal.text(environment.digest("pass " + secret).prefix(16))
  }
}
