internal import Dispatch
internal import Foundation
internal import Synchronization

/// Decides when a folder is scanned: soon after a change, but for at most a fraction of the time.
///
/// Use it on its queue only, except for ``scanSeconds``.
final class ScanTimer: @unchecked Sendable {
  // Unchecked Sendable: all variables are accessed on the queue only, except the duration, which
  // has its own lock.
  private let queue: DispatchQueue
  private let work: WorkCount
  private let isStopped: Flag
  private var scan: () -> Void = {}
  private var isScanDue = false
  private var isLookDue = false
  private let duration = Mutex<Double?>(nil)

  /// Creates a timer without a scan; call ``start(_:)`` to begin.
  ///
  /// A planned scan counts as work, unless it was planned with ``scanLater(after:)``.
  init(queue: DispatchQueue, work: WorkCount, isStopped: Flag) {
    (self.queue, self.work, self.isStopped) = (queue, work, isStopped)
  }

  /// Starts with an immediate scan.
  func start(_ scan: @escaping () -> Void) {
    self.scan = scan
    scanSoon(after: 0)
  }

  /// Cancels the scan that is due soon.
  func cancel() { isScanDue = false }

  /// The duration of the last scan in seconds; nil before the first.
  ///
  /// Can be read on any thread.
  var scanSeconds: Double? { duration.withLock { $0 } }

  /// Scans after a delay, in seconds; requests until then are answered by the same scan.
  func scanSoon(after seconds: Double) {
    guard !isScanDue, !isStopped.isSet else { return }
    isScanDue = true
    work.begin()
    let delay = max(seconds, 4 * (scanSeconds ?? 0))
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      if isScanDue {
        isScanDue = false
        run()
      }
      work.end()
    }
  }

  /// Scans when the files that are being written may be complete; the wait counts as work.
  func scanWhenSettled(after seconds: Double) {
    work.begin()
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.scanSoon(after: 0)
      self?.work.end()
    }
  }

  /// Scans after a delay, in seconds, when something may have become due.
  func scanLater(after seconds: Double) {
    guard !isLookDue else { return }
    isLookDue = true
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.isLookDue = false
      self?.scanSoon(after: 0)
    }
  }

  private func run() {
    let began = ProcessInfo.processInfo.systemUptime
    scan()
    let seconds = ProcessInfo.processInfo.systemUptime - began
    duration.withLock { $0 = seconds }
  }
}
