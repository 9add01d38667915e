internal import Fabric

/// The questions to other nodes that have not been answered by all of them.
struct PendingQuestions: Sendable {
  typealias Answer = @Sendable ([Bool]) -> Void

  /// How long the other nodes may take to answer, in seconds.
  static let seconds = 0.5

  private struct Entry {
    var answers: [Bool]
    var nodes: Set<NodeID>
    let then: Answer
  }

  private var entries: [UInt64: Entry] = [:]
  private var last: UInt64 = 0

  /// Adds questions to some nodes and returns their number.
  mutating func add(_ count: Int, nodes: Set<NodeID>, then: @escaping Answer) -> UInt64 {
    last += 1
    let answers = Array(repeating: false, count: count)
    entries[last] = Entry(answers: answers, nodes: nodes, then: then)
    return last
  }

  /// Records the answers of a node.
  /// - Returns: What to call outside of any lock, if the questions are answered.
  mutating func answer(
    _ id: UInt64,
    _ answers: [Bool],
    from node: NodeID
  ) -> (@Sendable () -> Void)? {
    guard var entry = entries[id], answers.count == entry.answers.count else { return nil }
    entry.answers = zip(entry.answers, answers).map { $0 || $1 }
    entry.nodes.remove(node)
    entries[id] = entry
    return entry.nodes.isEmpty || entry.answers.allSatisfy { $0 } ? end(id) : nil
  }

  /// Ends questions, whoever has not answered.
  /// - Returns: What to call outside of any lock, unless they were ended before.
  mutating func end(_ id: UInt64) -> (@Sendable () -> Void)? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    return { entry.then(entry.answers) }
  }
}
