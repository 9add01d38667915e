internal import Dispatch
internal import Foundation
internal import SharedStore
internal import Synchronization
internal import Telemetry

/// Keeps a catalogue in step with a store that several processes share.
///
/// Changes wait in the catalogue until they are published, so nothing is lost while the store is
/// out of reach or this process is stopped. Changes by others arrive by announcement, and at the
/// latest with the next poll. Publishing and reading have a queue each, so that a large upload
/// delays no news.
final class SharedLibrary: Sendable {
  let blobs: any BlobStore
  let storage: LibraryStorage
  let options: BookLibrary.Sharing
  let log: Log
  let isStopped: Flag
  /// The folder of this process, whose name is the title of a shelf.
  let root: String?
  /// Called with the key of a book that has changed; nil for one that is gone.
  let changed: @Sendable (Int?) -> Void
  /// Tells the writers of one version apart.
  let writer = String(UInt64.random(in: .min ... .max), radix: 36)
  let offers = PictureOffers()

  private let outgoing = DispatchQueue(label: "lectern.store.out", qos: .utility)
  private let incoming = DispatchQueue(label: "lectern.store.in", qos: .utility)
  private let state = Mutex(State())
  private let poll: TimerBox

  private struct State {
    var figures = SharingFigures()
    var isDue = false
    /// The time of the next attempt after an outage, on the monotonic clock.
    var resumes = 0.0
    var outages = 0
    /// When the log may say again that the store is out of reach, on the monotonic clock.
    var reminds = 0.0
    var timer: UInt64 = 0
    var isPolling = false
    /// Whether the cluster has an identity.
    var hasIdentity = false
    /// Whether changes are published without the usual pause.
    var isFlushing = false
  }

  init(
    _ options: BookLibrary.Sharing,
    storage: LibraryStorage,
    root: String?,
    log: Log,
    isStopped: Flag,
    changed: @escaping @Sendable (Int?) -> Void
  ) throws(DatabaseError) {
    self.options = options
    blobs = options.store
    (self.storage, self.root, self.log, self.isStopped) = (storage, root, log, isStopped)
    self.changed = changed
    poll = TimerBox(queue: incoming)
    let now = Self.unixTime
    try storage.store.write { try $0.outgoing.begin(at: now) }
  }

  /// Starts to publish and to poll.
  func start() {
    storage.store.afterWrites { [weak self] in self?.kick(after: 0) }
    poll.start(every: options.pollSeconds) { [weak self] in self?.pollNow() }
    kick(after: 0)
  }

  /// Publishes all changes without the usual pause, unless the store is out of reach.
  /// - Returns: Whether this ended in time.
  @discardableResult func flush(atMost seconds: Double) -> Bool {
    state.withLock { $0.isFlushing = true }
    defer { state.withLock { $0.isFlushing = false } }
    return wait(atMost: seconds) { [self] in publishDue() }
  }

  /// Stops and waits for the requests in progress, for half a second; the caller sets the flag
  /// first.
  ///
  /// A request of this process that ends later changes nothing in the catalogue that a restart
  /// would not change again.
  func stop() {
    poll.cancel()
    let deadline = DispatchTime.now() + 0.5
    for queue in [outgoing, incoming] {
      let isDone = DispatchSemaphore(value: 0)
      queue.async { isDone.signal() }
      _ = isDone.wait(timeout: deadline)
    }
  }

  /// Runs work after the request in progress; a store that does not answer must not hold up a stop.
  @discardableResult private func wait(
    atMost seconds: Double,
    _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    let isDone = DispatchSemaphore(value: 0)
    outgoing.async {
      work()
      isDone.signal()
    }
    return isDone.wait(timeout: .now() + seconds) == .success
  }

  static var unixTime: Double { Date().timeIntervalSince1970 }
  private static var uptime: Double { ProcessInfo.processInfo.systemUptime }

  // MARK: Figures

  /// The figures; does not block.
  var figures: SharingFigures { state.withLock { $0.figures } }

  /// Counts the changes that wait.
  @discardableResult func countWaiting() throws(SharingFault) -> Int {
    let waiting = try catalogued { try $0.outgoing.count() }
    state.withLock { $0.figures.waiting = waiting }
    return waiting
  }

  func count(_ field: WritableKeyPath<SharingFigures, Int>) {
    state.withLock { $0.figures[keyPath: field] += 1 }
  }

  // MARK: Publishing

  /// Publishes what is due, now or after a time in seconds.
  func kick(after seconds: Double) {
    let (isFirst, number) = state.withLock { state -> (Bool, UInt64) in
      let isFirst = seconds > 0 || !state.isDue
      if seconds <= 0 { state.isDue = true } else { state.timer &+= 1 }
      return (isFirst, state.timer)
    }
    guard isFirst, !isStopped.isSet else { return }
    let run = { @Sendable [weak self] in
      guard let self else { return }
      // A later timer replaces this one.
      if seconds > 0, state.withLock({ $0.timer }) != number { return }
      state.withLock { $0.isDue = false }
      publishDue()
    }
    if seconds > 0 {
      outgoing.asyncAfter(deadline: .now() + seconds, execute: run)
    } else {
      outgoing.async(execute: run)
    }
  }

  private func publishDue() {
    let wait = state.withLock { $0.resumes } - Self.uptime
    guard wait <= 0 else { return kick(after: wait) }
    do throws(SharingFault) {
      while !isStopped.isSet, let item = try next() {
        do throws(SharingFault) {
          try publish(item)
          recovered()
        } catch {
          count(\.failures)
          guard !error.isOutage else {
            try countWaiting()
            throw error
          }
          try postpone(item, error)
          // A flush must not try a change that can never succeed.
          state.withLock { $0.isFlushing = false }
        }
      }
      while !isStopped.isSet, let offer = offers.next() {
        guard let key = BlobKey(offer.key) else { continue }
        if try stored(blobs.size(of: key)) == nil { try stored(blobs.put(offer.bytes, at: key)) }
      }
      try countWaiting()
      let due = try catalogued { try $0.outgoing.nextDue() }
      if let due { kick(after: max(0.01, due - Self.unixTime)) }
    } catch {
      failed(error)
      kick(after: max(0.01, state.withLock { $0.resumes } - Self.uptime))
    }
  }

  private func next() throws(SharingFault) -> OutgoingItem? {
    // Even a change that was postponed is tried once more.
    let now = state.withLock { $0.isFlushing } ? .greatestFiniteMagnitude : Self.unixTime
    return try catalogued { try $0.outgoing.next(at: now) }
  }

  /// Tries an item again later, with growing pauses.
  private func postpone(_ item: OutgoingItem, _ error: SharingFault) throws(SharingFault) {
    log.warning(
      .storeFailed,
      "\(error)",
      ["kind": .text(item.kind.rawValue), "name": .text(item.name)],
      collapsing: "store \(item.name)"
    )
    let time = Self.unixTime + Double(1 << min(item.tries, 10))
    try written { try $0.outgoing.postpone(item, until: time) }
  }

  // MARK: Reading

  /// Reads changed blobs, given by their keys.
  func announced(_ keys: [String]) {
    incoming.async { [self] in
      for key in keys.compactMap({ BlobKey($0) }) where !isStopped.isSet {
        guard attempt({ () throws(SharingFault) in try read(key, tag: nil) }) else { return }
      }
    }
  }

  /// Reads all blobs that have changed since the last poll.
  func pollNow() {
    let isFirst = state.withLock { state in
      defer { state.isPolling = true }
      return !state.isPolling
    }
    guard isFirst else { return }
    incoming.async { [self] in
      state.withLock { $0.isPolling = false }
      guard !isStopped.isSet else { return }
      attempt { () throws(SharingFault) in
        if !state.withLock({ $0.hasIdentity }) { try checkIdentity() }
        for group in [BlobKey.Group.meta, .rooms, .bookmarks] { try readChanges(of: group) }
      }
    }
  }

  /// Compares the identity of the cluster with that of this process, once.
  private func checkIdentity() throws(SharingFault) {
    let isOther = try ClusterIdentity.adopt(from: blobs, into: storage.files)
    state.withLock { $0.hasIdentity = true }
    guard isOther else { return }
    log.warning(
      .storeFailed,
      "The cluster has another key than this process. Restart this process to use that key."
    )
  }

  /// Runs work with the store and reports its failure.
  /// - Returns: Whether the store answered.
  @discardableResult
  func attempt(_ work: () throws(SharingFault) -> Void) -> Bool {
    do throws(SharingFault) {
      try work()
      recovered()
      return true
    } catch {
      count(\.failures)
      failed(error)
      return !error.isOutage
    }
  }

  // MARK: Outages

  /// How often the log says that the store is out of reach, in seconds.
  private static let reminderSeconds = 60.0

  /// Whether the store answered the last time, or may be tried again.
  var isInReach: Bool { state.withLock { !$0.figures.isUnreachable || $0.resumes <= Self.uptime } }

  /// Records that the store answers, and continues with what waited.
  func recovered() {
    let wasOut = state.withLock { state in
      defer {
        (state.outages, state.resumes, state.reminds) = (0, 0, 0)
        state.figures.isUnreachable = false
      }
      return state.figures.isUnreachable
    }
    guard wasOut else { return }
    log.info(.storeRecovered, "The store answers again.", ["store": .text(blobs.location)])
    kick(after: 0)
    pollNow()
  }

  private func failed(_ error: SharingFault) {
    guard error.isOutage else {
      log.warning(.storeFailed, "\(error)", collapsing: "store")
      state.withLock { $0.resumes = Self.uptime + 1 }
      return
    }
    let isDue = state.withLock { state in
      state.figures.isUnreachable = true
      // At most a minute passes until the next attempt.
      state.resumes = Self.uptime + options.retrySeconds * Double(1 << min(state.outages, 6))
      state.outages += 1
      guard state.reminds <= Self.uptime else { return false }
      state.reminds = Self.uptime + Self.reminderSeconds
      return true
    }
    guard isDue else { return }
    log.error(
      .storeUnreachable,
      "\(error) The library works with what it has and tries again.",
      ["store": .text(blobs.location)]
    )
  }

  // MARK: Faults

  func catalogued<T: Sendable>(_ work: (Database) throws -> T) throws(SharingFault) -> T {
    do throws(DatabaseError) { return try storage.store.read(work) } catch {
      throw .catalogue(error)
    }
  }

  func written<T: Sendable>(_ work: (Database) throws -> T) throws(SharingFault) -> T {
    do throws(DatabaseError) { return try storage.store.write(work) } catch {
      throw .catalogue(error)
    }
  }

  func stored<T>(_ work: @autoclosure () throws(BlobStoreError) -> T) throws(SharingFault) -> T {
    do throws(BlobStoreError) { return try work() } catch { throw .store(error) }
  }

  func filed<T>(_ work: @autoclosure () throws(FileFault) -> T) throws(SharingFault) -> T {
    do throws(FileFault) { return try work() } catch { throw .file(error) }
  }
}

/// A repeating timer.
final class TimerBox: @unchecked Sendable {
  // Unchecked Sendable: the timer is set once before it is activated, and only ever cancelled.
  private let timer: any DispatchSourceTimer
  private let isActive = Atomic(false)

  init(queue: DispatchQueue) { timer = DispatchSource.makeTimerSource(queue: queue) }

  deinit {
    // A timer that was never activated must not be released.
    if !isActive.load(ordering: .relaxed) { timer.activate() }
    timer.cancel()
  }

  /// Calls a closure after a time, and then at intervals, in seconds.
  func start(
    every seconds: Double,
    after first: Double = 0,
    _ call: @escaping @Sendable () -> Void
  ) {
    timer.setEventHandler(handler: call)
    timer.schedule(deadline: .now() + first, repeating: seconds, leeway: .milliseconds(100))
    isActive.store(true, ordering: .relaxed)
    timer.activate()
  }

  func cancel() { timer.cancel() }
}
