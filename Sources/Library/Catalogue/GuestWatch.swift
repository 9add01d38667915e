internal import Dispatch

/// Hears when another process has imported something into the same data folder.
final class GuestWatch: @unchecked Sendable {
  // Sendable by hand: the watch is made once and belongs to the queue.
  private let queue = DispatchQueue(label: "lectern.guests")
  private var watch: FolderWatch?

  init(_ folder: DataFolder, heard: @escaping @Sendable () -> Void) {
    let file = folder.announcement
    watch = FolderWatch(queue: queue) { news in
      if news.contains(.complete(file)) || news.contains(.lost) { heard() }
    }
    queue.sync { watch?.watch(folder.path) }
  }
}
