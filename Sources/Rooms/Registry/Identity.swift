internal import Bytes
internal import Scene
internal import Wire

/// The sender of a hello.
struct Identity: Sendable {
  /// The least length of a reader's secret, in bytes: a shorter one could be guessed.
  static let secretMin = 22

  let reader: ReaderID
  /// The secret that the reader is to send from now on; empty if it has sent one.
  let freshSecret: String
  /// The pass that the reader sends with the addresses of pictures and books, see ``Welcome/pass``.
  let pass: String
  /// Whether the reader may open the library: the library has no key, or the hello carries it.
  let opensLibrary: Bool

  /// Whether the reader has been here before, as far as is known.
  var hasReturned: Bool { freshSecret.isEmpty }

  init(of hello: Hello, environment: Environment) {
    let isKnown = hello.reader.utf8.count >= Self.secretMin
    freshSecret = isKnown ? "" : environment.secret()
    let secret = isKnown ? hello.reader : freshSecret
    reader = ReaderID(digest: environment.digest(secret))
    pass = Self.pass(of: secret, environment: environment)
    opensLibrary = environment.opensLibrary(hello.key)
  }

  /// Returns the first 128 bits of another digest, in hexadecimal digits.
  ///
  /// A pass stays the same for a reader, so that a browser finds the pictures in its cache, and it
  /// does not reveal the secret.
  private static func pass(of secret: String, environment: Environment) -> String {
    Hexadecimal.text(environment.digest("pass " + secret).prefix(16))
  }
}
