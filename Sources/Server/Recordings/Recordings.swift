internal import Dispatch
internal import Foundation
internal import Notices
internal import Recording
internal import Scene
internal import Synchronization

/// The facts about a recording that are known without playing it.
struct RecordingFacts: Equatable, Codable, Sendable {
  /// The id; safe as a file name and impossible to guess.
  let id: String
  /// The title.
  let title: String
  /// The id of the book that is read in the recording.
  let book: String
  /// The length, in seconds.
  let seconds: Double
  /// The start of the recording, in Unix seconds.
  let recorded: Double
}

/// The reason why a recording cannot be played.
enum RecordingFault: Error, Equatable {
  /// No recording has this id.
  case unknown(String)
  /// The recording is still being written.
  case running(String)
  /// The file is larger than ``Recordings/sizeMax``.
  case tooLarge(String, bytes: Int)
  /// The file cannot be read, for the given reason.
  case unreadable(String, reason: String)

  /// What the reader is told.
  var notice: Notice {
    switch self {
    case .unknown(let id), .running(let id): Notice(.noSuchRecording, ["recording": id])
    case .tooLarge(let id, let bytes):
      Notice(
        .recordingTooBig,
        [
          "recording": id, "bytes": "\(bytes)", "limit": "\(Recordings.sizeMax)",
        ]
      )
    case .unreadable(let id, let reason):
      Notice(.recordingUnreadable, ["recording": id, "reason": reason])
    }
  }
}

/// The recordings of rooms: a folder with one file for each, named by its id.
///
/// Any thread may call the methods, but they read the disk, so the service thread should leave that
/// to a worker. A recording in progress is not listed and cannot be played or deleted. If a
/// recording has ended but is not yet completely on the disk, the methods wait until it is.
final class Recordings: Sendable {
  private struct State {
    var running: Set<String> = []
    /// The facts from files that have not changed since; a useless file has an entry without facts.
    var known: [String: Known] = [:]
  }

  private struct Known {
    let size: Int
    let changed: Date
    let facts: RecordingFacts?
  }

  private let folder: String
  private let state = Mutex(State())
  /// Recordings that have ended and whose last lines are still being written.
  private let ending = DispatchGroup()

  /// Creates the recordings of a folder, which is created with the first recording.
  init(folder: String) { self.folder = folder }

  /// Returns all recordings that have ended or were interrupted, newest first.
  func list() -> [RecordingFacts] {
    ending.wait()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let ids = names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(7)) }
      .filter(Self.isID)
    let before = state.withLock { state in (known: state.known, running: state.running) }
    var known: [String: Known] = [:]
    for id in ids where !before.running.contains(id) {
      known[id] = look(at: id, before: before.known[id])
    }
    let found = known
    state.withLock { $0.known = found }
    return known.values.compactMap(\.facts)
      .sorted { ($0.recorded, $0.id) > ($1.recorded, $1.id) }
  }

  /// Deletes a recording.
  /// - Returns: False if no recording has this id, or it is still being written.
  func delete(_ id: String) -> Bool {
    ending.wait()
    guard Self.isID(id), !isRunning(id) else { return false }
    do {
      try FileManager.default.removeItem(atPath: path(of: id))
      return true
    } catch { return false }
  }

  /// The maximum size of a file that can be played, in bytes; recordings do not grow larger.
  static let sizeMax = RoomRecorder.Limits().bytes

  /// Reads a whole recording; a long one takes seconds.
  /// - Throws: ``RecordingFault`` if the recording does not exist or cannot be read.
  func load(_ id: String) throws(RecordingFault) -> Transcript {
    ending.wait()
    guard !isRunning(id) else { throw .running(id) }
    guard Self.isID(id), FileManager.default.fileExists(atPath: path(of: id)) else {
      throw .unknown(id)
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path(of: id)))?[.size] as? Int
    guard let size, size <= Self.sizeMax else { throw .tooLarge(id, bytes: size ?? 0) }
    do {
      return try LogReader.transcript(of: try data(of: id))
    } catch { throw .unreadable(id, reason: "\(error)") }
  }

  private func look(at id: String, before: Known?) -> Known? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path(of: id)),
      let size = attributes[.size] as? Int, let changed = attributes[.modificationDate] as? Date
    else { return nil }
    if let before, before.size == size, before.changed == changed { return before }
    let summary = (try? data(of: id)).flatMap { try? LogSummary(of: $0) }
    let facts = summary.map { summary in
      RecordingFacts(
        id: id,
        title: summary.facts.title,
        book: summary.facts.book,
        seconds: summary.seconds,
        recorded: summary.facts.recorded
      )
    }
    return Known(size: size, changed: changed, facts: facts)
  }

  private func data(of id: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(of: id)), options: .mappedIfSafe)
  }
}

// MARK: - Files

extension Recordings {
  private static let suffix = ".ndjson"
  /// Letters and digits that are hard to confuse; each carries almost five bits.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)

  /// Returns a new id: the time, for people who look into the folder, and 99 random bits.
  static func freshID(at unixTime: Double) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyyMMdd-HHmmss"
    let time = formatter.string(from: Date(timeIntervalSince1970: unixTime))
    let random = (0..<20).map { _ in letters[Int.random(in: 0..<letters.count)] }
    return time + "-" + String(decoding: random, as: UTF8.self)
  }

  /// Whether a text can be an id; no other text becomes a file name.
  private static func isID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  private func path(of id: String) -> String { folder + "/" + id + Self.suffix }

  private func isRunning(_ id: String) -> Bool { state.withLock { $0.running.contains(id) } }

  /// Records that a recording is about to be written.
  func noteRunning(_ id: String) { state.withLock { _ = $0.running.insert(id) } }

  /// Records that a recording has ended and that its last lines are still being written.
  /// - Returns: A task to call once, when the recording is completely on the disk.
  func noteEnding(_ id: String) -> @Sendable () -> Void {
    ending.enter()
    return { [self] in
      noteFinished(id)
      ending.leave()
    }
  }

  /// Records that nothing more will be written to a recording.
  func noteFinished(_ id: String) { state.withLock { _ = $0.running.remove(id) } }

  /// Creates the file of a recording.
  func makeFile(for id: String) throws -> FileHandle {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = path(of: id)
    try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }
}
