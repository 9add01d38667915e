internal import PressProtocol

/// The images that a press has sent from an archive, and the limits that it must respect.
///
/// A malicious archive can take control of its press, which could then send images without end, and
/// each image is written to the disk.
struct Extraction {
  private let limits: PressLimits
  /// The maximum size of all images together, in bytes.
  private let bytesMax: Int
  private var bytes = 0
  private var pages: Set<[Int]> = []
  /// The sizes of the images that still wait, oldest first.
  private var waiting: [Int] = []
  /// The last reply of the press.
  private(set) var facts: PressReply?

  /// Creates the state of an extraction from an archive of the given size.
  init(_ limits: PressLimits, fileBytes: Int) {
    self.limits = limits
    bytesMax = limits.assetBytes(ofFile: fileBytes)
  }

  /// The result of checking a part of the answer.
  enum Verdict: Equatable {
    case accepted
    /// A limit is exceeded.
    case refused(PressFault)
    /// A correct press never sends this here.
    case senseless
  }

  /// Checks an image.
  mutating func receive(_ asset: Asset) -> Verdict {
    guard facts == nil, pages.insert([asset.page, asset.part]).inserted else { return .senseless }
    guard pages.count <= limits.document.pages else {
      return .refused(.tooManyPages(pages.count, limit: limits.document.pages))
    }
    bytes += asset.bytes.count
    guard bytes <= bytesMax else { return .refused(.archiveTooLarge(limit: bytesMax)) }
    waiting.append(asset.bytes.count)
    return .accepted
  }

  /// Checks the facts, which arrive once, after the last image.
  mutating func receive(_ facts: PressReply) -> Verdict {
    guard self.facts == nil else { return .senseless }
    self.facts = facts
    return .accepted
  }

  /// Records that the oldest waiting image was taken.
  mutating func wasAccepted() {
    if !waiting.isEmpty { waiting.removeFirst() }
  }

  /// Whether reading must stop until an image has been taken.
  var isPaused: Bool {
    waiting.count >= AssetChannel.capacity
      || waiting.reduce(0, +) >= AssetChannel.capacityBytes
  }
}
