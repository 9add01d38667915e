internal import Scene

/// The mask and the flags of an entry, whose mask is in the order of matrix entries.
struct EntryHead: Equatable {
  var mask: UInt16 = 0
  var flags: UInt8 = 0
}

/// The beginnings of a frame's entries as they are sent.
///
/// An id is sent as its distance from the previous one, because the faces of a book have
/// consecutive numbers. A head that is one of the last two different ones is not sent again,
/// because pages and shadows that move alike follow each other.
struct EntryHeads {
  /// How a head is sent, in the lowest bits of the number with which the entry begins.
  enum Code: UInt64 {
    /// The mask and the flags follow.
    case new
    /// As that of the previous entry.
    case last
    /// As the last one that differs from that of the previous entry.
    case other
  }

  private var id: UInt64 = 0
  private var last = EntryHead()
  private var other = EntryHead()

  /// The number of bits for the code, and for whether a part follows.
  private static let bits: UInt64 = 3
  private static let part: UInt64 = 4

  /// Returns the number with which an entry begins, and how its head is sent.
  mutating func next(
    _ id: UInt64,
    _ part: ElementPart,
    _ head: EntryHead
  ) -> (number: UInt64, code: Code) {
    let distance = Int64(truncatingIfNeeded: id &- self.id)
    self.id = id
    let code: Code = head == last ? .last : head == other ? .other : .new
    remember(head, code)
    // The distance d is sent as 2d, or as -2d - 1 if it is negative.
    let sent = UInt64(bitPattern: (distance &<< 1) ^ (distance &>> 63)) &<< Self.bits
    return (sent | (part == .whole ? 0 : Self.part) | code.rawValue, code)
  }

  /// Returns the parts of the number with which an entry begins; nil if the id is beyond
  /// ``ElementNumbers/max`` or the code has no meaning.
  mutating func start(_ number: UInt64) -> (id: UInt64, hasPart: Bool, code: Code)? {
    let sent = number &>> Self.bits
    let distance = Int64(bitPattern: sent &>> 1) ^ -Int64(bitPattern: sent & 1)
    let next = id &+ UInt64(bitPattern: distance)
    guard next <= ElementNumbers.max, let code = Code(rawValue: number & 3) else { return nil }
    id = next
    return (next, number & Self.part != 0, code)
  }

  /// Returns the head of an entry, given the one that follows if it is new.
  mutating func head(_ code: Code, _ new: EntryHead) -> EntryHead {
    let head = code == .new ? new : code == .last ? last : other
    remember(head, code)
    return head
  }

  private mutating func remember(_ head: EntryHead, _ code: Code) {
    if code != .last { (last, other) = (head, last) }
  }
}
