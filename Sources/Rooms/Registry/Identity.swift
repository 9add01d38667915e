internal import Scene
internal import Wire

/// Who says hello.
struct Identity: Sendable {
  /// The shortest secret of a reader, in bytes: what is shorter could be found by trying.
  static let secretMin = 22

  let reader: ReaderID
  /// The secret that the reader shall show from now on; empty if it has shown one.
  let freshSecret: String
  /// What the reader shows with the addresses of pictures and books, see ``Welcome/pass``.
  let pass: String
  /// Whether it shows what the library asks for, if that asks for anything.
  let opensLibrary: Bool

  /// Whether the reader has been here before, as far as that can be told.
  var hasReturned: Bool { freshSecret.isEmpty }

  init(of hello: Hello, environment: RoomEnvironment) {
    let isKnown = hello.reader.utf8.count >= Self.secretMin
    freshSecret = isKnown ? "" : environment.secret()
    let secret = isKnown ? hello.reader : freshSecret
    reader = ReaderID(digest: environment.digest(secret))
    pass = Self.pass(of: secret, environment: environment)
    opensLibrary = environment.opensLibrary(hello.key)
  }

  /// The first 128 bits of another digest, in hexadecimal digits: it stays the same for a reader,
  /// so that a browser finds the pictures that it has, and does not tell the secret.
  private static func pass(of secret: String, environment: RoomEnvironment) -> String {
    environment.digest("pass " + secret).prefix(16)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
