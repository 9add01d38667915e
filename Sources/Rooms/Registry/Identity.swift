internal import Scene
internal import Wire

/// The sender of a hello.
struct Identity: Sendable {
  /// The least length of a reader's secret, in bytes: a shorter one could be guessed.
  static let secretMin = 22

  let reader: ReaderID
  /// The secret that the reader is to send from now on; empty if it has sent one.
  let freshSecret: String
  /// Whether the reader may open the library: the library has no key, or the hello carries it.
  let opensLibrary: Bool

  /// Whether the reader has been here before, as far as is known.
  var hasReturned: Bool { freshSecret.isEmpty }

  init(of hello: Hello, environment: RoomEnvironment) {
    let isKnown = hello.reader.utf8.count >= Self.secretMin
    freshSecret = isKnown ? "" : environment.secret()
    let secret = isKnown ? hello.reader : freshSecret
    reader = ReaderID(digest: environment.digest(secret))
    opensLibrary = environment.opensLibrary(hello.key)
  }
}
