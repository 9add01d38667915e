internal import Fabric

/// A run of messages on one stream, and who gets which of them.
///
/// Most members get all messages of a run, in one write. A group is a set of members that get the
/// same messages. The arrays keep their memory from run to run.
struct FanOut: Sendable {
  /// The most messages of a run: one bit each.
  static let runMax = 8

  /// Members that get the same messages.
  struct Group: Sendable {
    /// One bit for each message that they get.
    var messages: UInt8 = 0
    var slots: [Int] = []
    var clients: [ClientID] = []
  }

  /// The messages, as ranges of the bytes of all messages.
  private(set) var ranges: [Range<Int>] = []
  private(set) var publications: [Publication] = []
  private var storage: [Group] = []
  private var groupCount = 0
  /// The ranges of a group's messages.
  private(set) var chosen: [Range<Int>] = []
  /// The members of a group that refused its messages.
  var refused: [Int] = []

  /// The groups that have members.
  var groups: Range<Int> { 0..<groupCount }
  subscript(_ index: Int) -> Group { storage[index] }

  /// Begins another run.
  mutating func begin() {
    ranges.removeAll(keepingCapacity: true)
    publications.removeAll(keepingCapacity: true)
    removeMembers()
  }

  /// Appends a message to the run, which must have fewer than ``runMax``.
  mutating func append(_ range: Range<Int>, _ publication: Publication) {
    ranges.append(range)
    publications.append(publication)
  }

  /// Removes all members and keeps the messages.
  mutating func removeMembers() {
    for index in 0..<groupCount {
      storage[index].slots.removeAll(keepingCapacity: true)
      storage[index].clients.removeAll(keepingCapacity: true)
    }
    groupCount = 0
  }

  /// Adds a member that gets some of the messages.
  mutating func add(_ slot: Int, _ client: ClientID, gets messages: UInt8) {
    var index = 0
    while index < groupCount, storage[index].messages != messages { index += 1 }
    if index == groupCount {
      groupCount += 1
      if storage.count < groupCount { storage.append(Group()) }
      storage[index].messages = messages
    }
    storage[index].slots.append(slot)
    storage[index].clients.append(client)
  }

  /// Sets ``chosen`` to the messages of a group, and empties ``refused``.
  mutating func choose(_ index: Int) {
    refused.removeAll(keepingCapacity: true)
    chosen.removeAll(keepingCapacity: true)
    for place in ranges.indices where storage[index].messages & 1 << UInt8(place) != 0 {
      chosen.append(ranges[place])
    }
  }
}
