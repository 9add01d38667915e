// The order in which requesters take turns.
extension PressSchedule {
  /// Returns the waiting jobs in the order in which they get presses.
  ///
  /// - Complexity: O(n log n) in the waiting jobs, whose number is bounded.
  func jobsInTurn() -> [JobID] {
    let urgent: [PrintPriority] = [.visible, .sharp, .next, .thumbnail, .unseen]
    return fairly(urgent.flatMap { queues[$0.rawValue].reversed() })
      + queues[PrintPriority.background.rawValue]
  }

  /// Returns the oldest job of each requester if it is overdue, sorted by the last turns of the
  /// requesters.
  func overdueJobs(at time: Double) -> [JobID] {
    var oldest: [Requester: (id: JobID, since: Double)] = [:]
    for id in queues.joined() {
      guard let job = jobs[id], job.since + limits.starvation <= time else { continue }
      for requester in Set(job.waiters.map(\.requester)) {
        if let other = oldest[requester], other.since <= job.since { continue }
        oldest[requester] = (id, job.since)
      }
    }
    let candidates = oldest.map { requester, job in
      (turns[requester.neighbours] ?? 0, turns[requester] ?? 0, job.since, job.id)
    }
    return candidates.sorted(by: <).map(\.3)
  }

  /// Records that the requesters of a job have had a turn.
  mutating func noteTurn(of id: JobID) {
    guard let job = jobs[id] else { return }
    lastTurn += 1
    for waiter in job.waiters {
      turns[waiter.requester] = lastTurn
      turns[waiter.requester.neighbours] = lastTurn
    }
    guard turns.count > Self.turnsMax else { return }
    let kept = lastTurn - UInt64(Self.turnsMax) / 2
    turns = turns.filter { $0.value >= kept }
  }

  /// The maximum number of remembered requesters.
  private static var turnsMax: Int { 2048 }

  /// Whether a visible page may take the press of less important work of others: those that have
  /// more presses, counted by address, or at one address by member.
  /// - Parameters:
  ///   - work: The less important work.
  ///   - page: The visible page.
  ///   - coming: The pages that get the next presses.
  /// - Returns: Whether it may.
  func mayInterrupt(_ work: Job, for page: Job, coming: some Sequence<JobID>) -> Bool {
    let (others, own) = (work.waiters.map(\.requester), page.waiters.map(\.requester))
    guard work.priority < .background, Set(own).isDisjoint(with: others) else { return true }
    let busy = (presses.values.compactMap(\.job) + coming).map { id in
      Set((jobs[id]?.waiters ?? []).map(\.requester))
    }
    return own.contains { one in
      others.allSatisfy { other in
        one.neighbours == other.neighbours
          ? busy.count { $0.contains(other) } > busy.count { $0.contains(one) }
          : busy.count { $0.contains { $0.neighbours == other.neighbours } }
            > busy.count { $0.contains { $0.neighbours == one.neighbours } }
      }
    }
  }

  /// Orders jobs so that each address, and within an address each member, gets one job before any
  /// gets a second.
  ///
  /// The requester whose last turn is longest ago begins.
  private func fairly(_ ids: [JobID]) -> [JobID] {
    fairly(fairly(ids, among: \.self), among: \.neighbours)
  }

  private func fairly(
    _ ids: [JobID],
    among parties: (Requester) -> Requester
  ) -> [JobID] {
    guard ids.count > 1 else { return ids }
    var counts: [Requester: Int] = [:]
    let ranked = ids.enumerated().map { place, id in
      var best = (rank: Int.max, turn: UInt64.max)
      for requester in Set((jobs[id]?.waiters ?? []).map { parties($0.requester) }) {
        let rank = counts[requester, default: 0]
        let other = (rank: rank, turn: turns[requester] ?? 0)
        if other < best { best = other }
        counts[requester] = rank + 1
      }
      return (rank: best.rank, turn: best.turn, place: place, id: id)
    }
    return ranked.sorted { ($0.rank, $0.turn, $0.place) < ($1.rank, $1.turn, $1.place) }.map(\.id)
  }
}
