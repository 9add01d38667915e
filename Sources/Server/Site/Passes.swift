internal import Fabric
internal import Library
internal import Synchronization
internal import WebServer

/// Signs the passes of members and checks those of requests; any thread may call any function.
///
/// A check asks neither a room nor another process. Passes that end before their time, because
/// their members may see less than before, are known to the process of the room at once and to the
/// others when its message arrives.
final class Passes: Sendable {
  /// The maximum number of passes of one request that are checked.
  private static let requestMax = 16
  /// The prefix of the cookies that carry passes: each window of a browser has its own.
  private static let cookie = "lectern-pass-"

  /// Returns the signature of a text.
  private let signature: @Sendable (String) -> String
  /// Returns the collections of a book; none if there is no such book.
  private let collections: @Sendable (String) -> [String]
  /// The members whose passes have ended, and the Unix time before which they were issued.
  private let ended = Mutex(Ended())

  private struct Ended {
    var dates: [MemberID: Double] = [:]
    /// The number of members beyond which those whose passes are too old anyway are removed.
    var limit = 64
  }

  init(
    signature: @escaping @Sendable (String) -> String,
    collections: @escaping @Sendable (String) -> [String]
  ) { (self.signature, self.collections) = (signature, collections) }

  /// Returns a signed pass.
  func sign(_ pass: Pass) -> String { "\(pass.text).\(signature(pass.text))" }

  /// Returns the pass that a text is; nil if its signature is not right.
  func pass(_ text: some StringProtocol) -> Pass? {
    guard text.utf8.count <= Pass.bytesMax, let dot = text.lastIndex(of: ".") else { return nil }
    let (claims, shown) = (String(text[..<dot]), text[text.index(after: dot)...])
    guard Secrets.isSame(Array(shown.utf8), Array(signature(claims).utf8)) else { return nil }
    return Pass(text: claims)
  }

  /// Returns the passes of a request, in its query and in its cookies, whether or not they are
  /// still valid.
  func all(of request: HTTPRequest, _ query: Query) -> [Pass] {
    var texts = query["pass"].map { [Substring($0)] } ?? []
    for cookie in (request.fields["cookie"] ?? "").split(separator: ";") {
      guard let name = cookie.firstIndex(of: "="),
        cookie[..<name].drop(while: { $0 == " " }).hasPrefix(Self.cookie)
      else { continue }
      texts.append(cookie[cookie.index(after: name)...])
    }
    return texts.prefix(Self.requestMax).compactMap { pass($0) }
  }

  /// Whether a pass opens a part of the library.
  func opens(_ part: Pass.Part, with pass: Pass, at date: Double) -> Bool {
    guard pass.isValid(at: date),
      ended.withLock({ $0.dates[pass.member] }).map({ pass.issued >= $0 }) ?? true
    else { return false }
    if pass.names(part) { return true }
    return part.book.map(collections)?.contains { pass.names(.collection($0)) } ?? false
  }

  /// Ends the passes of members that were issued before a time, in Unix seconds.
  ///
  /// The cost is that of the members, not of all that were ended before.
  func end(of members: [MemberID], before date: Double) {
    ended.withLock { ended in
      for member in members { ended.dates[member] = max(date, ended.dates[member] ?? 0) }
      guard ended.dates.count > ended.limit else { return }
      ended.dates = ended.dates.filter { $0.value + Pass.seconds > date }
      // So many more are added before the next removal that it costs little for each of them.
      ended.limit = max(64, 2 * ended.dates.count)
    }
  }
}
