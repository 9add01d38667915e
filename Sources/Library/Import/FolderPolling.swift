/// What a folder's file systems tell about changes that no event reports, and about folders that
/// are empty because a disk is missing.
///
/// All times are in seconds of a monotonic clock.
struct FolderPolling {
  /// How often a folder is scanned that other machines can change or that cannot be watched, and
  /// how often one is asked whether its file systems have changed.
  private static let usual = 30.0

  private let scanSeconds: Double?
  private let settleSeconds: Double
  /// When the folder was scanned last for no other reason than the time.
  private var polled: Double
  /// The file systems at the last scan; nil before the first.
  private var mounts: Mounts?
  /// The empty folders whose books may still exist.
  private(set) var doubted: Set<String> = []

  /// Creates the state before the first scan.
  /// - Parameters:
  ///   - scanSeconds: See ``BookLibrary/Options/scanSeconds``.
  ///   - settleSeconds: The age of its last change at which a file in a watched folder counts as
  ///     complete.
  ///   - now: The present time.
  init(scanSeconds: Double?, settleSeconds: Double, at now: Double) {
    (self.scanSeconds, self.settleSeconds, polled) = (scanSeconds, settleSeconds, now)
  }

  /// Whether there was no scan yet.
  var isFirst: Bool { mounts == nil }

  /// How often the folder is scanned if events do not report its changes.
  var interval: Double { scanSeconds ?? Self.usual }

  /// Returns how long to wait before the next call of ``isScanDue(on:at:)``.
  func secondsLeft(at now: Double) -> Double {
    max(0.05, min(Self.usual, polled + interval - now))
  }

  /// Returns whether changes may have been missed since the last scan.
  mutating func isScanDue(on mounts: Mounts, at now: Double) -> Bool {
    let isTime = now - polled >= interval
    if isTime { polled = now }
    return mounts != self.mounts || isTime && (scanSeconds != nil || mounts.isRemote)
  }

  /// Returns how old the last change of a complete file is; 0 if files that are being written are
  /// still to be reported.
  func settleSeconds(on mounts: Mounts, isWatched: Bool) -> Double {
    guard !isFirst else { return 0 }
    // Other machines keep what they know about a file for some seconds.
    return isWatched && !mounts.isRemote ? settleSeconds : min(FileWrites.patience, interval / 2)
  }

  /// Records a scan.
  /// - Parameters:
  ///   - mounts: The file systems before it.
  ///   - empty: The empty folders that it found. They are doubted, unless the same disk showed
  ///     books there to this process before.
  ///   - isInside: Whether a folder is on these file systems; a link can lead to another one.
  mutating func note(
    _ mounts: Mounts,
    empty: [String],
    isInside: (String) -> Bool = { _ in true }
  ) {
    let isCertain = mounts == self.mounts && !mounts.isRemote
    doubted = Set(empty.filter { !isCertain || doubted.contains($0) || !isInside($0) })
    self.mounts = mounts
  }

  /// Returns a note on an empty folder whose books stay on the shelf.
  static func note(on folder: String, books: Int) -> String {
    let (count, them) =
      books == 1 ? ("its book stays", "it is") : ("its \(books) books stay", "they are")
    return
      "\(folder): the folder is empty; \(count) on the shelf, because a disk may not be mounted."
      + " If \(them) gone for good, put another book into the folder, or remove the folder."
  }
}
