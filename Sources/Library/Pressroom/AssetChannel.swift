internal import Dispatch
internal import PressProtocol
internal import Synchronization

/// Brings the images of an archive from the pressroom's thread to the one that stores them.
///
/// The press is not read from while ``capacity`` images wait, or ``capacityBytes`` of them, so that
/// an archive of 4 GiB needs no more memory than a few of its images.
final class AssetChannel: Sendable {
  enum Item: Sendable {
    case asset(Asset)
    case end(Result<PressReply, PressFault>)
  }

  /// The images that may wait.
  static let capacity = 2

  /// The bytes of images that may wait; one more may come on top.
  static let capacityBytes = 32 << 20

  private let items = Mutex<[Item]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  /// Puts in an item; does not block.
  func put(_ item: Item) {
    items.withLock { $0.append(item) }
    arrivals.signal()
  }

  /// Takes out the next item; blocks until there is one.
  func next() -> Item {
    arrivals.wait()
    return items.withLock { $0.removeFirst() }
  }
}
