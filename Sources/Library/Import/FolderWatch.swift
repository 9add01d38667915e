internal import Dispatch
internal import Glibc

/// An event in a watched folder.
enum FolderEvent: Equatable, Sendable {
  /// A file is being written; it is not complete before ``complete(_:)``.
  case writing(String)
  /// A file was closed by its writer, or moved here complete.
  case complete(String)
  /// Something was added, removed or renamed.
  case changed
  /// Events were lost; scan everything again.
  case lost
}

/// Watches folders with inotify and reports events on a queue.
///
/// Use it on that queue only, including ``watch(_:)``.
final class FolderWatch {
  private let descriptor: Int32
  private let source: (any DispatchSourceRead)?
  private var paths: [Int32: String] = [:]
  /// Whether the kernel refused to watch a folder, because too many are watched.
  private(set) var isIncomplete: Bool

  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
  )

  /// Begins to watch.
  init(queue: DispatchQueue, onEvents: @escaping ([FolderEvent]) -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    isIncomplete = descriptor < 0
    guard descriptor >= 0 else {
      source = nil
      return
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    self.source = source
    let descriptor = descriptor
    source.setCancelHandler { close(descriptor) }
    source.setEventHandler { [weak self] in
      guard let list = self?.read(), !list.isEmpty else { return }
      onEvents(list)
    }
    source.activate()
  }

  deinit { source?.cancel() }

  /// Watches a folder, or continues to watch it.
  func watch(_ path: String) {
    guard descriptor >= 0 else { return }
    let number = inotify_add_watch(descriptor, path, Self.events)
    if number >= 0 {
      paths[number] = path
    } else if errno == ENOSPC || errno == ENOMEM {
      isIncomplete = true
    }
  }

  private func read() -> [FolderEvent] {
    var list: [FolderEvent] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return list }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        let size = MemoryLayout<inotify_event>.size
        while offset + size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = bytes[(offset + size)..<(offset + size + Int(event.len))].prefix { $0 != 0 }
          offset += size + Int(event.len)
          list.append(folderEvent(event, String(decoding: name, as: UTF8.self)))
        }
      }
    }
  }

  private func folderEvent(_ event: inotify_event, _ name: String) -> FolderEvent {
    func has(_ bit: Int32) -> Bool { event.mask & UInt32(bitPattern: bit) != 0 }
    if has(Int32(IN_Q_OVERFLOW)) { return .lost }
    if has(Int32(IN_IGNORED)) { paths[event.wd] = nil }
    guard let folder = paths[event.wd], !has(Int32(IN_ISDIR)) else { return .changed }
    let path = folder + "/" + name
    if has(Int32(IN_CLOSE_WRITE)) || has(Int32(IN_MOVED_TO)) { return .complete(path) }
    // A creation alone does not count, because no event reports that a link is complete.
    if has(Int32(IN_MODIFY)) { return .writing(path) }
    return .changed
  }
}
