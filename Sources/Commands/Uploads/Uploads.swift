internal import Foundation
internal import Library
internal import Telemetry

/// Uploads: files on their way in, kept under temporary names until they are whole, then imported.
///
/// An upload outlives its connection and the server: the bytes that arrived are on disk, and the
/// next part continues from there. A file is hashed as it arrives, so that the library need not
/// read it again to know its content; only a file that was resumed after a restart is read.
/// Every method returns at once; the work, and every `then`, runs on a queue of its own, so that no
/// disk keeps a service thread waiting.
///
/// Safety of `@unchecked`: all that changes is touched on `queue` alone.
final class Uploads: @unchecked Sendable {
  /// Brings a whole file into the library, and returns the id of its book.
  ///
  /// The digest is the file's SHA-256; nil if it is not known.
  typealias Importer =
    @Sendable (
      _ path: String, _ upload: Upload, _ digest: [UInt8]?
    ) -> Result<String, Refusal>

  /// Why the library did not take a file, in words for the reader.
  struct Refusal: Error, Equatable {
    var message: String
    /// Whether it may take the same file another time.
    var canRetry = false
  }

  /// How many files may be on their way at a time.
  static let countMax = 64
  /// The most bytes of a file's name that are kept.
  static let nameMax = 500
  /// What an upload leaves free on the disk, in bytes: the catalogue must be written, too.
  static let roomLeft = 16 << 20
  /// After so long without a part a file is given up, in seconds.
  static let ageMax = 24.0 * 3600

  /// The largest file, in bytes.
  let sizeMax: Int

  private let folder: String
  private let disk: UploadDisk
  let log: Log
  private let importer: Importer
  private let queue = DispatchQueue(label: "lectern.uploads")
  private let imports = DispatchQueue(label: "lectern.uploads.import")
  private var uploads: [String: Upload] = [:]
  /// The digests of files that this run of the server has had from their first byte.
  private var digests: [String: RunningDigest] = [:]
  /// Uploads whose next part is coming in.
  private var busy: Set<String> = []

  /// Goes on with what an earlier run left, and forgets what is too old.
  /// - Parameters:
  ///   - folder: Where the parts lie; it is made.
  ///   - sizeMax: The largest file, in bytes.
  ///   - disk: What writes the parts.
  ///   - log: Hears what is accepted, rejected and lost.
  ///   - importer: Called on a queue of its own, one file after another.
  init(
    folder: String,
    sizeMax: Int,
    disk: UploadDisk = UploadDisk(),
    log: Log,
    importer: @escaping Importer
  ) {
    self.folder = folder
    self.disk = disk
    self.log = log
    self.sizeMax = sizeMax
    self.importer = importer
    queue.async { self.recover() }
  }

  /// Announces a file.
  func begin(
    name: String,
    size: Int,
    collection: String?,
    then: @escaping @Sendable (Result<Upload, UploadFault>) -> Void
  ) {
    queue.async {
      let result = self.made(name: name, size: size, collection: collection)
      self.report(result, name: name, size: size)
      then(result)
    }
  }

  /// How far a file has come.
  func find(_ id: String, then: @escaping @Sendable (Result<Upload, UploadFault>) -> Void) {
    queue.async { then(self.uploads[id].map { .success($0) } ?? .failure(.unknown(id))) }
  }

  /// Opens a file for its next part; a failure is told when the part ends.
  func part(of id: String, at offset: Int) -> Part { Part(self, id: id, offset: offset) }

  /// Gives a file up, in whatever state it is; a book that was made of it stays.
  func cancel(_ id: String, then: @escaping @Sendable (Result<Upload, UploadFault>) -> Void) {
    queue.async {
      guard let upload = self.uploads.removeValue(forKey: id) else {
        return then(.failure(.unknown(id)))
      }
      self.remove(id)
      then(.success(upload))
    }
  }

  /// Waits until everything asked for so far is on disk.
  func settle() { queue.sync {} }
}

// MARK: - Parts

extension Uploads {
  /// A stretch of a file that comes in over one request.
  final class Part: @unchecked Sendable {
    private let uploads: Uploads
    private let id: String
    // Touched on the queue of the uploads alone.
    private var handle: FileHandle?
    private var fault: UploadFault?

    fileprivate init(_ uploads: Uploads, id: String, offset: Int) {
      self.uploads = uploads
      self.id = id
      uploads.queue.async { self.open(at: offset) }
    }

    /// Takes the next bytes; `then` is called when they are on disk.
    func append(_ bytes: [UInt8], then: @escaping @Sendable () -> Void) {
      uploads.queue.async {
        self.write(bytes)
        then()
      }
    }

    /// The part is whole, or its connection broke: what came counts either way.
    func end(then: @escaping @Sendable (Result<Upload, UploadFault>) -> Void = { _ in }) {
      uploads.queue.async { then(self.close()) }
    }

    private func open(at offset: Int) {
      do throws(UploadFault) {
        handle = try uploads.opened(id, at: offset)
      } catch { fault = error }
    }

    private func write(_ bytes: [UInt8]) {
      guard fault == nil, let handle, let upload = uploads.uploads[id] else { return }
      guard bytes.count <= upload.size - upload.offset else {
        return fault = .tooLong(size: upload.size)
      }
      do {
        try uploads.disk.write(handle, bytes)
        uploads.uploads[id]?.offset += bytes.count
        uploads.digests[id]?.update(bytes)
      } catch {
        let fault = uploads.fault(error, size: upload.size)
        self.fault = fault
        // What came of it fills the disk, and nobody can go on with it.
        uploads.giveUp(id, fault)
      }
    }

    private func close() -> Result<Upload, UploadFault> {
      if let handle {
        try? handle.close()
        self.handle = nil
        uploads.busy.remove(id)
        uploads.importIfWhole(id)
      }
      if let fault { return .failure(fault) }
      return uploads.uploads[id].map { .success($0) } ?? .failure(.unknown(id))
    }
  }
}

// MARK: - On the queue

extension Uploads {
  private func made(name: String, size: Int, collection: String?) -> Result<Upload, UploadFault> {
    // Bytes are counted, since a single letter may have any number of them.
    let title = String(decoding: name.utf8.prefix(Self.nameMax), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else { return .failure(.noName) }
    guard size > 0 else { return .failure(.empty) }
    guard size <= sizeMax else { return .failure(.tooLarge(limit: sizeMax)) }
    forgetOld()
    guard uploads.count < Self.countMax else { return .failure(.tooMany(limit: Self.countMax)) }
    if let free = disk.free(folder), free - promised < size + Self.roomLeft {
      return .failure(.noRoom(needed: size, free: free - promised))
    }
    let id = UUID().uuidString.lowercased()
    let upload = Upload(id: id, name: title, size: size, collection: collection)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try JSONEncoder().encode(upload).write(to: URL(fileURLWithPath: facts(id)), options: .atomic)
      try Data().write(to: URL(fileURLWithPath: part(id)))
    } catch {
      remove(id)
      return .failure(fault(error, size: size))
    }
    uploads[id] = upload
    digests[id] = RunningDigest()
    return .success(upload)
  }

  /// The bytes that are still to come of what was announced.
  private var promised: Int {
    uploads.values.filter { $0.state == .receiving }.reduce(0) { $0 + $1.size - $1.offset }
  }

  /// Why the disk did not take something.
  fileprivate func fault(_ error: any Error, size: Int) -> UploadFault {
    UploadDisk.isFull(error)
      ? .noRoom(needed: size, free: disk.free(folder)) : .disk(error.localizedDescription)
  }

  /// Removes what came of a file that cannot go on, and keeps the reason.
  fileprivate func giveUp(_ id: String, _ fault: UploadFault) {
    remove(id)
    report(fault, name: uploads[id]?.name ?? "")
    uploads[id]?.state = .failed(fault.message, canRetry: true)
  }

  fileprivate func opened(_ id: String, at offset: Int) throws(UploadFault) -> FileHandle {
    guard let upload = uploads[id] else { throw .unknown(id) }
    guard upload.state == .receiving else { throw .over }
    guard !busy.contains(id) else { throw .busy }
    guard upload.offset == offset else { throw .wrongOffset(is: upload.offset, given: offset) }
    do {
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: part(id)))
      try handle.seek(toOffset: UInt64(offset))
      busy.insert(id)
      return handle
    } catch {
      let fault = UploadFault.disk(error.localizedDescription)
      report(fault, name: upload.name)
      throw fault
    }
  }

  fileprivate func importIfWhole(_ id: String) {
    guard let upload = uploads[id], upload.offset == upload.size, upload.state == .receiving else {
      return
    }
    uploads[id]?.state = .importing
    let path = part(id)
    let digest = digests.removeValue(forKey: id)?.finish()
    imports.async {
      let result = self.importer(path, upload, digest)
      self.queue.async { self.imported(id, result) }
    }
  }

  private func imported(_ id: String, _ result: Result<String, Refusal>) {
    remove(id)
    switch result {
    case .success(let book): uploads[id]?.state = .done(book: book)
    case .failure(let refusal):
      uploads[id]?.state = .failed(refusal.message, canRetry: refusal.canRetry)
    }
  }

  /// Resumes the uploads on disk: the size of a part is how far it came.
  private func recover() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasSuffix(".json") {
      let id = String(name.dropLast(5))
      guard let data = FileManager.default.contents(atPath: facts(id)),
        var upload = try? JSONDecoder().decode(Upload.self, from: data), upload.id == id,
        let facts = try? FileManager.default.attributesOfItem(atPath: part(id)),
        let size = (facts[.size] as? NSNumber)?.intValue, size <= upload.size,
        upload.size <= UploadDisk.sizeMax
      else {
        remove(id)
        continue
      }
      upload.offset = size
      upload.state = .receiving
      uploads[id] = upload
      importIfWhole(id)
    }
    for name in names where name.hasSuffix(".part") && uploads[String(name.dropLast(5))] == nil {
      remove(String(name.dropLast(5)))
    }
    forgetOld()
  }

  /// Lets go of files that nobody goes on with, and of the story of those that are in.
  private func forgetOld() {
    for (id, upload) in uploads where upload.state != .importing && !busy.contains(id) {
      let facts = try? FileManager.default.attributesOfItem(atPath: part(id))
      let changed = (facts?[.modificationDate] as? Date) ?? .distantPast
      let isOver = upload.state != .receiving && uploads.count >= Self.countMax / 2
      let isOld = upload.state == .receiving && -changed.timeIntervalSinceNow > Self.ageMax
      if isOver || isOld {
        uploads[id] = nil
        remove(id)
      }
    }
  }

  private func remove(_ id: String) {
    digests[id] = nil
    for path in [part(id), facts(id)] { try? FileManager.default.removeItem(atPath: path) }
  }

  private func part(_ id: String) -> String { "\(folder)/\(id).part" }
  private func facts(_ id: String) -> String { "\(folder)/\(id).json" }
}
