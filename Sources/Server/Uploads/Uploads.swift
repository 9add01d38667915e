internal import Foundation
internal import Library
internal import Notices
internal import SharedStore
internal import Telemetry

/// Files that are being uploaded; they are stored under temporary names until they are complete,
/// and then imported.
///
/// An upload outlives its connection and the server: the bytes that have arrived are on disk, and
/// the next part continues from there. A file is hashed as it arrives, so that the library need not
/// read it again to identify its content; only a file that was resumed after a restart is read
/// again. Every method returns at once; the work, and every `then`, runs on a separate queue, so
/// that no disk keeps a service thread waiting.
///
/// Safety of `@unchecked`: all mutable state is used on `queue` only.
final class Uploads: @unchecked Sendable {
  /// Imports a complete file into the library and returns the id of its book.
  ///
  /// The digest is the file's SHA-256; nil if it is not known.
  typealias Importer =
    @Sendable (
      _ path: String, _ upload: Upload, _ digest: [UInt8]?
    ) -> Result<String, Refusal>

  /// The reason why the library rejected a file.
  struct Refusal: Error, Equatable {
    var notice: Notice
    /// Whether the library may accept the same file later.
    var canRetry = false
  }

  /// The maximum number of uploads at a time.
  static let countMax = 64
  /// The maximum length of a file's name, in bytes; longer names are truncated.
  static let nameMax = 500
  /// The space that an upload must leave free on the disk, in bytes, so that the catalogue can
  /// still be written.
  static let roomLeft = 16 << 20
  /// The time without a new part after which an upload is discarded, in seconds.
  static let ageMax = 24.0 * 3600

  /// The maximum size of a file, in bytes.
  let sizeMax: Int

  private let folder: String
  private let disk: UploadDisk
  let log: Log
  private let importer: Importer
  private let queue = DispatchQueue(label: "lectern.uploads")
  private let imports = DispatchQueue(label: "lectern.uploads.import")
  private var uploads: [String: Upload] = [:]
  /// The digests of files that this run of the server has received from the first byte.
  private var digests: [String: ContentDigest] = [:]
  /// The uploads that are receiving a part.
  private var busy: Set<String> = []
  /// The uploads that have ended, in this order.
  private var ended: [String] = []

  /// Resumes the uploads of an earlier run, and discards those that are too old.
  /// - Parameters:
  ///   - folder: The folder of the parts; it is created if necessary.
  ///   - sizeMax: The maximum size of a file, in bytes.
  ///   - disk: The disk that stores the parts.
  ///   - log: The log of accepted, rejected and failed uploads.
  ///   - importer: Called on a separate queue, for one file at a time.
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

  /// Begins an upload and passes it to `then`, or the reason for rejecting it.
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

  /// Passes the state of an upload to `then`.
  func find(_ id: String, then: @escaping @Sendable (Result<Upload, UploadFault>) -> Void) {
    queue.async { then(self.uploads[id].map { .success($0) } ?? .failure(.unknown(id))) }
  }

  /// Opens a file for its next part; a failure is reported when the part ends.
  func part(of id: String, at offset: Int) -> Part { Part(self, id: id, offset: offset) }

  /// Cancels an upload in any state; a book that was imported from it stays.
  func cancel(_ id: String, then: @escaping @Sendable (Result<Upload, UploadFault>) -> Void) {
    queue.async {
      guard let upload = self.uploads.removeValue(forKey: id) else {
        return then(.failure(.unknown(id)))
      }
      self.ended.removeAll { $0 == id }
      self.remove(id)
      then(.success(upload))
    }
  }

  /// Waits until everything requested so far is on disk.
  func settle() { queue.sync {} }
}

// MARK: - Parts

extension Uploads {
  /// A part of a file, which arrives in one request.
  final class Part: @unchecked Sendable {
    private let uploads: Uploads
    private let id: String
    // Used on the queue of the uploads only.
    private var handle: FileHandle?
    private var fault: UploadFault?

    fileprivate init(_ uploads: Uploads, id: String, offset: Int) {
      self.uploads = uploads
      self.id = id
      uploads.queue.async { self.open(at: offset) }
    }

    /// Appends bytes; `then` is called when they are on disk.
    func append(_ bytes: [UInt8], then: @escaping @Sendable () -> Void) {
      uploads.queue.async {
        self.write(bytes)
        then()
      }
    }

    /// Ends the part.
    ///
    /// If the connection broke, the bytes that have arrived are kept.
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
        // The stored bytes fill the disk, and the upload cannot be continued.
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
    // The limit counts bytes, because a single character may have any number of them.
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
    digests[id] = ContentDigest()
    return .success(upload)
  }

  /// The bytes that accepted uploads have not sent yet.
  private var promised: Int {
    uploads.values.filter { $0.state == .receiving }.reduce(0) { $0 + $1.size - $1.offset }
  }

  /// Returns the reason for a failed write.
  fileprivate func fault(_ error: any Error, size: Int) -> UploadFault {
    UploadDisk.isFull(error)
      ? .noRoom(needed: size, free: disk.free(folder)) : .disk(error.localizedDescription)
  }

  /// Removes the files of an upload that cannot continue, and keeps the reason.
  fileprivate func giveUp(_ id: String, _ fault: UploadFault) {
    remove(id)
    report(fault, name: uploads[id]?.name ?? "")
    end(id, .failed(fault.notice, canRetry: true))
  }

  private func end(_ id: String, _ state: Upload.State) {
    // It may have been cancelled.
    guard uploads[id] != nil else { return }
    uploads[id]?.state = state
    ended.append(id)
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
    let digest = digests.removeValue(forKey: id)?.finished()
    imports.async {
      let result = self.importer(path, upload, digest)
      self.queue.async { self.imported(id, result) }
    }
  }

  private func imported(_ id: String, _ result: Result<String, Refusal>) {
    remove(id)
    switch result {
    case .success(let book): end(id, .done(book: book))
    case .failure(let refusal): end(id, .failed(refusal.notice, canRetry: refusal.canRetry))
    }
  }

  /// Resumes the uploads on disk; the size of a part file is the upload's offset.
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

  /// Discards uploads that have received no part for too long and, if there are many uploads, the
  /// first of those that have ended: their clients may still ask how they ended.
  private func forgetOld() {
    for (id, upload) in uploads where upload.state == .receiving && !busy.contains(id) {
      let facts = try? FileManager.default.attributesOfItem(atPath: part(id))
      let changed = (facts?[.modificationDate] as? Date) ?? .distantPast
      if -changed.timeIntervalSinceNow > Self.ageMax {
        uploads[id] = nil
        remove(id)
      }
    }
    while uploads.count >= Self.countMax / 2, !ended.isEmpty { uploads[ended.removeFirst()] = nil }
  }

  private func remove(_ id: String) {
    digests[id] = nil
    for path in [part(id), facts(id)] { try? FileManager.default.removeItem(atPath: path) }
  }

  private func part(_ id: String) -> String { "\(folder)/\(id).part" }
  private func facts(_ id: String) -> String { "\(folder)/\(id).json" }
}

extension Uploads {
  /// The shelf for uploaded books that name no other.
  static let collection = "Uploads"

  /// Creates the uploads of a library, whose files are kept in its data folder until they are
  /// complete.
  convenience init(library: BookLibrary, sizeMax: Int, log: Log) {
    self.init(folder: library.uploadsFolder, sizeMax: sizeMax, log: log) { path, upload, digest in
      do throws(ImportFault) {
        let book = try library.importFile(
          path,
          name: upload.name,
          collection: upload.collection ?? Self.collection,
          isMove: true,
          digest: digest
        )
        return .success(book.id)
      } catch { return .failure(Refusal(notice: error.notice, canRetry: error.canRetry)) }
    }
  }
}
