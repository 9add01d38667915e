internal import Fabric

/// The messages that wait to be sent; when there are too many, the oldest are dropped.
struct SendQueue: Sendable {
  /// A message that waits.
  struct Message: Sendable {
    /// The receiver; nil for all nodes.
    let receiver: NodeID?
    /// The number of the message among those to the same receivers.
    let number: UInt64
    let bytes: [UInt8]
  }

  /// The maximum number of messages that wait.
  static let messagesMax = 65_536
  /// The maximum number of receivers that are remembered.
  private static let receiversMax = 4096

  private let bytesMax: Int
  private let messageBytesMax: Int
  private var messages: [Message] = []
  /// The messages before this place were sent or dropped.
  private var first = 0
  private var numbers: [NodeID?: UInt64] = [:]
  /// The size of all messages that wait.
  private(set) var byteCount = 0

  init(bytesMax: Int, messageBytesMax: Int) {
    (self.bytesMax, self.messageBytesMax) = (bytesMax, messageBytesMax)
  }

  /// The number of messages that wait.
  var count: Int { messages.count - first }

  /// Adds a message.
  /// - Returns: The number of messages that were dropped.
  mutating func add(_ bytes: [UInt8], to receiver: NodeID?) -> Int {
    if numbers.count >= Self.receiversMax, numbers[receiver] == nil {
      let broadcasts = numbers[nil]
      numbers = [:]
      numbers[nil] = broadcasts
    }
    let number = numbers[receiver, default: 0] + 1
    numbers[receiver] = number
    // The number shows the receivers that a message is missing.
    guard bytes.count <= min(messageBytesMax, bytesMax) else { return 1 }
    messages.append(Message(receiver: receiver, number: number, bytes: bytes))
    byteCount += bytes.count
    var dropped = 0
    while count > Self.messagesMax || byteCount > bytesMax {
      _ = dequeue()
      dropped += 1
    }
    return dropped
  }

  /// Removes and returns the oldest message.
  mutating func dequeue() -> Message? {
    guard first < messages.count else { return nil }
    let message = messages[first]
    // The bytes must not be kept until the list is tidied up.
    messages[first] = Message(receiver: nil, number: 0, bytes: [])
    first += 1
    byteCount -= message.bytes.count
    if first == messages.count {
      messages.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 1024, first * 2 >= messages.count {
      messages.removeFirst(first)
      first = 0
    }
    return message
  }
}
