internal import Dispatch
internal import Foundation
internal import Recording
internal import Scene
internal import Synchronization

/// What is known of a recording without playing it.
struct RecordingFacts: Equatable, Codable, Sendable {
  /// What names it; safe as a file's name, and not to be guessed.
  let id: String
  /// What it is called.
  let title: String
  /// The id of the book that is read in it.
  let book: String
  /// How long it is, in seconds.
  let seconds: Double
  /// When it was begun, in Unix seconds.
  let recorded: Double
}

/// Why a recording cannot be played.
enum RecordingFault: Error, Equatable, CustomStringConvertible {
  /// There is none of that id.
  case unknown(String)
  /// It is still being written.
  case running(String)
  /// Its file cannot be read, for a reason.
  case unreadable(String, reason: String)

  /// What is wrong, with which recording.
  var description: String {
    switch self {
    case .unknown(let id): "there is no recording \"\(id)\""
    case .running(let id): "the recording \"\(id)\" is not finished; end it first"
    case .unreadable(let id, let reason): "the recording \"\(id)\" cannot be read: \(reason)"
    }
  }
}

/// The recordings of rooms: a folder with a file for each, named by its id.
///
/// Any thread may ask; but it reads the disk, so the service thread should let a worker do so.
/// What is still being written is not listed, and neither played nor deleted; of what was ended and
/// is not all on the disk yet it waits until it is.
final class Recordings: Sendable {
  private struct State {
    var running: Set<String> = []
    /// What was found in files that have not changed since; without facts if they are of no use.
    var known: [String: Known] = [:]
  }

  private struct Known {
    let size: Int
    let changed: Date
    let facts: RecordingFacts?
  }

  private let folder: String
  private let state = Mutex(State())
  /// Those that were ended, and whose last lines are on their way to the disk.
  private let ending = DispatchGroup()

  /// Opens a folder; it is made when the first recording is begun.
  init(folder: String) { self.folder = folder }

  /// All recordings that are finished or were broken off, the newest first.
  func list() -> [RecordingFacts] {
    ending.wait()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let ids = names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(7)) }
      .filter(Self.isID)
    let before = state.withLock { state in
      (known: state.known, running: state.running)
    }
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
  /// - Returns: False if there is none of that id, or it is still being written.
  func delete(_ id: String) -> Bool {
    ending.wait()
    guard Self.isID(id), !isRunning(id) else { return false }
    do {
      try FileManager.default.removeItem(atPath: path(of: id))
      return true
    } catch { return false }
  }

  /// The largest file that is played, in bytes: as large as one is made.
  static let sizeMax = RoomRecorder.Limits().bytes

  /// Reads a recording whole; for a long one this takes seconds.
  /// - Throws: ``RecordingFault`` when there is none, or it cannot be read.
  func load(_ id: String) throws(RecordingFault) -> Transcript {
    ending.wait()
    guard !isRunning(id) else { throw .running(id) }
    guard Self.isID(id), FileManager.default.fileExists(atPath: path(of: id)) else {
      throw .unknown(id)
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path(of: id)))?[.size] as? Int
    guard let size, size <= Self.sizeMax else {
      let most = "none of more than \(Self.sizeMax >> 20) MiB is played"
      throw .unreadable(id, reason: "it has \((size ?? 0) >> 20) MiB, and \(most)")
    }
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
  /// 32 letters and digits that cannot be taken for one another: five bits each.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789z".utf8)

  /// Makes an id: the time, for whoever looks into the folder, and a hundred random bits.
  static func freshID(at unixTime: Double) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyyMMdd-HHmmss"
    let time = formatter.string(from: Date(timeIntervalSince1970: unixTime))
    let random = (0..<20).map { _ in letters[Int.random(in: 0..<letters.count)] }
    return time + "-" + String(decoding: random, as: UTF8.self)
  }

  /// Whether a word can be an id; no other is made the name of a file.
  private static func isID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  private func path(of id: String) -> String { folder + "/" + id + Self.suffix }

  private func isRunning(_ id: String) -> Bool { state.withLock { $0.running.contains(id) } }

  /// Notes that a recording is about to be written.
  func noteRunning(_ id: String) { state.withLock { _ = $0.running.insert(id) } }

  /// Notes that a recording was ended, and will be on the disk when the task is over.
  /// - Returns: The task, to be called once.
  func noteEnding(_ id: String) -> @Sendable () -> Void {
    ending.enter()
    return { [self] in
      noteFinished(id)
      ending.leave()
    }
  }

  /// Notes that a recording will not be written to any more.
  func noteFinished(_ id: String) { state.withLock { _ = $0.running.remove(id) } }

  /// Makes the file of a recording.
  func makeFile(for id: String) throws -> FileHandle {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = path(of: id)
    try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }
}
