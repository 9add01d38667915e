internal import PressProtocol

/// The images that a press has handed over of an archive, with an eye on what it may.
///
/// A press may have been taken over by its archive. It could send images for ever then, and each is
/// written to the disk.
struct Extraction {
  private let limits: PressLimits
  /// The bytes that its images may have together.
  private let bytesMax: Int
  private var bytes = 0
  private var pages: Set<Int> = []
  /// The sizes of the images that were not taken yet, the oldest first.
  private var waiting: [Int] = []
  /// What the press said at the end.
  private(set) var facts: PressReply?

  /// Begins with an archive of so many bytes.
  init(_ limits: PressLimits, fileBytes: Int) {
    self.limits = limits
    bytesMax = limits.assetBytes(ofFile: fileBytes)
  }

  /// What became of a part of the answer.
  enum Verdict: Equatable {
    case accepted
    /// A bound is passed.
    case refused(PressFault)
    /// No press says this here.
    case senseless
  }

  /// Takes an image.
  mutating func take(_ asset: Asset) -> Verdict {
    guard facts == nil, pages.insert(asset.page).inserted else { return .senseless }
    guard pages.count <= limits.pages else {
      return .refused(.tooManyPages(pages.count, limit: limits.pages))
    }
    bytes += asset.bytes.count
    guard bytes <= bytesMax else { return .refused(.archiveTooLarge(limit: bytesMax)) }
    waiting.append(asset.bytes.count)
    return .accepted
  }

  /// Takes the facts, which come once, after the last image.
  mutating func take(_ facts: PressReply) -> Verdict {
    guard self.facts == nil else { return .senseless }
    self.facts = facts
    return .accepted
  }

  /// The oldest image that waits was taken.
  mutating func wasTaken() {
    if !waiting.isEmpty { waiting.removeFirst() }
  }

  /// Whether nothing more is to be read before an image was taken.
  var isPaused: Bool {
    waiting.count >= AssetChannel.capacity
      || waiting.reduce(0, +) >= AssetChannel.capacityBytes
  }
}
