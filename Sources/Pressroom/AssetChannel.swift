internal import Dispatch
internal import PressProtocol
internal import Synchronization

/// Passes the images of an archive from the pressroom's thread to the thread that stores them.
///
/// The pressroom stops reading from the press while ``capacity`` images or ``capacityBytes`` bytes
/// wait, so that an archive of 4 GiB needs memory for only a few of its images.
final class AssetChannel: Sendable {
  enum Item: Sendable {
    case asset(Asset)
    case end(Result<PressReply, PressFault>)
  }

  /// The maximum number of waiting images.
  static let capacity = 2

  /// The maximum size of waiting images in bytes; one more image can follow.
  static let capacityBytes = 32 << 20

  private let items = Mutex<[Item]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  /// Adds an item; does not block.
  func put(_ item: Item) {
    items.withLock { $0.append(item) }
    arrivals.signal()
  }

  /// Removes the next item; blocks until there is one.
  func next() -> Item {
    arrivals.wait()
    return items.withLock { $0.removeFirst() }
  }
}
