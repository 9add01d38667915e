internal import Dispatch

/// Reports imports by other processes into the same data folder.
final class GuestWatch: @unchecked Sendable {
  // Unchecked Sendable: the watch is created once and used on the queue only.
  private let queue = DispatchQueue(label: "lectern.guests")
  private var watch: FolderWatch?

  init(_ folder: DataFolder, heard: @escaping @Sendable () -> Void) {
    let file = folder.announcement
    watch = FolderWatch(queue: queue) { events in
      if events.contains(.complete(file)) || events.contains(.lost) { heard() }
    }
    queue.sync { watch?.watch(folder.path) }
  }
}
