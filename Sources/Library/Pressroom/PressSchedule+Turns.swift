// Whose turn it is.
extension PressSchedule {
  /// The jobs that wait, in the order in which they are to get presses.
  ///
  /// - Complexity: O(n log n) in the jobs that wait, which are bounded.
  func jobsInTurn() -> [JobID] {
    let between: [PrintPriority] = [.sharp, .next, .thumbnail, .unseen]
    return fairly(newestFirst([.visible])) + fairly(newestFirst(between))
      + queues[PrintPriority.background.rawValue]
  }

  /// The job that waited longest of each requester, if it is overdue; who had no turn for longest
  /// comes first.
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

  /// Notes that those who wait for a job have had a turn.
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

  /// The requesters that are remembered at most.
  private static var turnsMax: Int { 2048 }

  private func newestFirst(_ priorities: [PrintPriority]) -> [JobID] {
    priorities.flatMap { queues[$0.rawValue].reversed() }
  }

  /// Jobs in an order in which each address has a first one before any has a second, so each member
  /// at an address, and who had no turn for longest begins.
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
