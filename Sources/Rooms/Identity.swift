internal import Scene
internal import Wire

/// Who says hello.
struct Identity: Sendable {
  /// The shortest secret of a reader, in bytes: what is shorter could be found by trying.
  static let secretMin = 22

  let reader: ReaderID
  /// The secret that the reader shall show from now on; empty if it has shown one.
  let freshSecret: String
  /// Whether it shows what the library asks for, if that asks for anything.
  let opensLibrary: Bool

  /// Whether the reader has been here before, as far as that can be told.
  var hasReturned: Bool { freshSecret.isEmpty }

  init(of hello: Hello, means: Means) {
    let isKnown = hello.reader.utf8.count >= Self.secretMin
    freshSecret = isKnown ? "" : means.secret()
    reader = ReaderID(digest: means.digest(isKnown ? hello.reader : freshSecret))
    opensLibrary = means.opensLibrary(hello.key)
  }
}
