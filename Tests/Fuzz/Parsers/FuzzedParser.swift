/// A parser of bytes that come from outside, with what must hold whatever the bytes are.
public enum FuzzedParser: String, CaseIterable, Sendable {
  /// Messages of clients.
  case client
  /// Messages of a server, as a client without a browser receives them.
  case server
  /// Frames of a WebSocket.
  case frames
  /// Heads of HTTP requests.
  case head
  /// Messages between the server and a press.
  case press
  /// Messages between the nodes of a cluster, whole and in parts.
  case cluster
  /// Records and listings of a store.
  case store
  /// The package and the table of contents of an EPUB.
  case package
  /// Books of text: FictionBooks and plain texts, and JSON of the layout engine.
  case book
  /// The first bytes of images.
  case image
  /// Recordings.
  case recording

  /// Parses bytes.
  /// - Throws: ``BrokenRule`` if something does not hold that must hold for all bytes.
  public func check(_ bytes: [UInt8]) throws {
    switch self {
    case .client: try checkClient(bytes)
    case .server: try checkServer(bytes)
    case .frames: try checkFrames(bytes)
    case .head: try checkHead(bytes)
    case .press: try checkPress(bytes)
    case .cluster: try checkCluster(bytes)
    case .store: try checkStore(bytes)
    case .package: try checkPackage(bytes)
    case .book: try checkBook(bytes)
    case .image: try checkImage(bytes)
    case .recording: try checkRecording(bytes)
    }
  }
}

/// A rule that bytes have broken.
public struct BrokenRule: Error, CustomStringConvertible {
  /// The rule, with the values that break it.
  public let description: String
}

/// Checks a rule.
/// - Throws: ``BrokenRule`` if it does not hold.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
  if !holds { throw BrokenRule(description: rule()) }
}

/// Decodes a message, and checks that its encoding decodes to the same message.
/// - Returns: The message and its encoding; nil if the bytes are not a message.
/// - Throws: ``BrokenRule`` if the messages differ.
func decoded<Message: Equatable>(
  _ bytes: [UInt8],
  by decode: ([UInt8]) throws -> Message,
  encodedBy encode: (Message) -> [UInt8]
) throws -> (message: Message, bytes: [UInt8])? {
  let message: Message
  do { message = try decode(bytes) } catch {
    // What a log or a client is told must not trap, either.
    _ = "\(error)"
    return nil
  }
  let encoded = encode(message)
  let again: Message
  do { again = try decode(encoded) } catch {
    throw BrokenRule(description: "\(message) does not decode again: \(error)")
  }
  try require(again == message, "\(message) decodes again as \(again)")
  return (message, encoded)
}

/// Splits bytes into parts, each of which follows its length in two bytes; the last may be shorter.
func parts(of bytes: [UInt8]) -> [[UInt8]] {
  var parts: [[UInt8]] = []
  var rest = bytes[...]
  while rest.count >= 2 {
    let length = Int(rest.removeFirst()) | Int(rest.removeFirst()) << 8
    parts.append(Array(rest.prefix(length)))
    rest = rest.dropFirst(length)
  }
  return parts
}
