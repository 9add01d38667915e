import Foundation
import Glibc
import Library
import Notices
import SharedStore
import Telemetry
import TestLogs
import Testing

@testable import Commands
@testable import Server

/// A folder of partial files, and the files that were imported into a library that accepts or
/// rejects them.
private final class Desk: @unchecked Sendable {
  let folder = NSTemporaryDirectory() + "lectern-uploads-" + UUID().uuidString
  private let lock = NSLock()
  private var files: [[UInt8]] = []
  private var digests: [[UInt8]?] = []
  private var refusal: Notice?

  init(refusing refusal: Notice? = nil) { self.refusal = refusal }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var imported: [[UInt8]] { lock.withLock { files } }
  /// The digests that were passed with the files.
  var hashed: [[UInt8]?] { lock.withLock { digests } }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  func uploads(
    sizeMax: Int = 1 << 20,
    disk: UploadDisk = UploadDisk(),
    log: Log = .disabled
  ) -> Uploads {
    Uploads(folder: folder, sizeMax: sizeMax, disk: disk, log: log) { [self] path, upload, digest in
      let bytes = FileManager.default.contents(atPath: path).map { Array($0) } ?? []
      return lock.withLock {
        files.append(bytes)
        digests.append(digest)
        return refusal.map { .failure(Uploads.Refusal(notice: $0)) }
          ?? .success("book of \(upload.name)")
      }
    }
  }
}

extension Uploads {
  /// Calls an asynchronous function and waits for its answer.
  fileprivate func wait<Answer: Sendable>(
    _ ask: (@escaping @Sendable (Answer) -> Void) -> Void
  ) async -> Answer {
    await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }
  }

  fileprivate func begun(_ name: String, _ size: Int) async throws -> Upload {
    let result: Result<Upload, UploadFault> = await wait {
      begin(name: name, size: size, collection: nil, then: $0)
    }
    return try result.get()
  }

  fileprivate func send(
    _ bytes: [UInt8],
    of id: String,
    at offset: Int
  ) async -> Result<Upload, UploadFault> {
    let part = part(of: id, at: offset)
    part.append(bytes) {}
    return await wait { part.end(then: $0) }
  }

  fileprivate func found(_ id: String) async -> Result<Upload, UploadFault> {
    await wait { find(id, then: $0) }
  }

  /// Polls until the library has accepted or rejected a file.
  fileprivate func outcome(of id: String) async throws -> Upload.State {
    while true {
      let state = try await found(id).get().state
      if state != .importing && state != .receiving { return state }
      await Task.yield()
    }
  }
}

@Suite("Uploads")
struct UploadsTests {
  private let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }

  @Test("a file in parts is imported whole and leaves nothing behind")
  func parts() async throws {
    let desk = Desk()
    let uploads = desk.uploads()
    let id = try await uploads.begun("a.pdf", bytes.count).id
    var offset = 0
    for end in [1, 1000, 4999, 5000] {
      offset = try await uploads.send(Array(bytes[offset..<end]), of: id, at: offset).get().offset
      #expect(offset == end)
    }
    #expect(try await uploads.outcome(of: id) == .done(book: "book of a.pdf"))
    #expect(desk.imported == [bytes] && desk.names == [])
    #expect(desk.hashed == [Self.digest(bytes)])
  }

  private static func digest(_ bytes: [UInt8]) -> [UInt8]? {
    let digest = ContentDigest()
    digest.update(bytes)
    return digest.finished()
  }

  @Test("the reason why the library rejects a file is passed on")
  func rejection() async throws {
    let desk = Desk(refusing: Notice(.pdfWithoutPages))
    let uploads = desk.uploads()
    let id = try await uploads.begun("a.pdf", 3).id
    _ = await uploads.send([1, 2, 3], of: id, at: 0)
    #expect(try await uploads.outcome(of: id) == .failed(Notice(.pdfWithoutPages), canRetry: false))
    #expect(desk.names == [])
  }

  @Test("another try is offered only where it can help")
  func retry() throws {
    #expect(![UploadFault.tooLarge(limit: 1), .empty, .noName, .over].contains { $0.canRetry })
    #expect([UploadFault.tooMany(limit: 1), .busy, .disk("full")].allSatisfy { $0.canRetry })
    #expect(ImportFault.changed(path: "a").canRetry && !ImportFault.noImages(path: "a").canRetry)
    var upload = Upload(id: "u", name: "a.pdf", size: 3, collection: nil)
    for (state, retry) in [
      (Upload.State.failed(Notice(.pdfWithoutPages), canRetry: false), false as Bool?),
      (.failed(Notice(.libraryFull), canRetry: true), true), (.importing, nil),
    ] {
      upload.state = state
      #expect(UploadJSON(upload).retry == retry)
    }
  }

  @Test("a restarted server continues where the file stopped")
  func restart() async throws {
    let desk = Desk()
    let first = desk.uploads()
    let id = try await first.begun("a.pdf", bytes.count).id
    _ = await first.send(Array(bytes[..<1234]), of: id, at: 0)
    let second = desk.uploads()
    #expect(try await second.found(id).get().offset == 1234)
    _ = await second.send(Array(bytes[1234...]), of: id, at: 1234)
    #expect(try await second.outcome(of: id) == .done(book: "book of a.pdf"))
    // The server hashed its beginning before the restart, so the library reads the file.
    #expect(desk.imported == [bytes] && desk.hashed == [nil])
  }

  @Test("a broken connection keeps the bytes that arrived and their hash")
  func brokenConnection() async throws {
    let desk = Desk()
    let uploads = desk.uploads()
    let id = try await uploads.begun("a.pdf", bytes.count).id
    let part = uploads.part(of: id, at: 0)
    part.append(Array(bytes[..<77])) {}
    part.end()
    #expect(try await uploads.found(id).get().offset == 77)
    _ = await uploads.send(Array(bytes[77...]), of: id, at: 77)
    #expect(try await uploads.outcome(of: id) == .done(book: "book of a.pdf"))
    #expect(desk.hashed == [Self.digest(bytes)])
  }

  @Test("parts that are out of place, too long or simultaneous are rejected")
  func invalidParts() async throws {
    let uploads = Desk().uploads()
    let id = try await uploads.begun("a.pdf", 10).id
    #expect(
      await uploads.send([1], of: id, at: 5) == .failure(.wrongOffset(is: 0, given: 5))
    )
    let open = uploads.part(of: id, at: 0)
    #expect(await uploads.send([1], of: id, at: 0) == .failure(.busy))
    open.end()
    let long = [UInt8](repeating: 0, count: 11)
    #expect(await uploads.send(long, of: id, at: 0) == .failure(.tooLong(size: 10)))
    #expect(await uploads.send([1], of: "nobody", at: 0) == .failure(.unknown("nobody")))
  }

  @Test("files without a size or a name, and files that are too large, are rejected")
  func invalidFiles() async throws {
    let captured = try CapturedLog()
    let uploads = Desk().uploads(sizeMax: 1 << 30, log: captured.log)
    await #expect(throws: UploadFault.empty) { try await uploads.begun("a", 0) }
    await #expect(throws: UploadFault.noName) { try await uploads.begun(" ", 1) }
    let fault = await #expect(throws: UploadFault.self) { try await uploads.begun("a", 1 << 31) }
    #expect(fault?.notice.message == "This file is larger than 1 GiB.")
    let rejected = captured.lines(of: "upload.rejected")
    #expect(rejected.count == 3 && rejected[2]["reason"] == fault?.notice.message)
    for _ in 0..<Uploads.countMax { _ = try await uploads.begun("a", 1) }
    await #expect(throws: UploadFault.tooMany(limit: 64)) { try await uploads.begun("a", 1) }
  }

  @Test("a client learns how its file ended although many others have ended")
  func manyEnded() async throws {
    let uploads = Desk().uploads()
    var ids: [String] = []
    for number in 0..<Uploads.countMax {
      let id = try await uploads.begun("\(number)", 1).id
      _ = await uploads.send([1], of: id, at: 0)
      _ = try await uploads.outcome(of: id)
      ids.append(id)
    }
    _ = try await uploads.begun("another", 1)
    let last = try #require(ids.last)
    #expect(try await uploads.outcome(of: last) == .done(book: "book of 63"))
    #expect(await uploads.found(ids[0]) == .failure(.unknown(ids[0])))
  }

  @Test("a cancelled file leaves nothing behind")
  func cancelled() async throws {
    let desk = Desk()
    let uploads = desk.uploads()
    let id = try await uploads.begun("a.pdf", 10).id
    let given: Result<Upload, UploadFault> = await uploads.wait { uploads.cancel(id, then: $0) }
    #expect(throws: Never.self) { try given.get() }
    #expect(desk.names == [] && desk.imported == [])
    #expect(await uploads.found(id) == .failure(.unknown(id)))
  }

  @Test(
    "sizes are written for people",
    arguments: [
      (1 << 30, "1 GiB"), (3 << 29, "1.5 GiB"), (5 << 20, "5 MiB"), (1536, "1.5 KiB"),
      (12, "12 bytes"),
    ]
  )
  func sizes(bytes: Int, words: String) {
    let message = UploadFault.tooLarge(limit: bytes).notice.message
    #expect(message == "This file is larger than \(words).")
  }

  @Test("a full disk leaves no part of a file, and says what to do")
  func fullDisk() async throws {
    let desk = Desk()
    var disk = UploadDisk()
    disk.free = { _ in 1 << 40 }
    disk.write = { handle, bytes in
      // Writes the bytes that fit, as a disk does.
      try handle.write(contentsOf: bytes.prefix(3))
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))
    }
    let captured = try CapturedLog()
    let uploads = desk.uploads(disk: disk, log: captured.log)
    let upload = try await uploads.begun("a.pdf", 10)
    let answer = await uploads.send(Array(0..<5), of: upload.id, at: 0)
    let fault = UploadFault.noRoom(needed: 10, free: 1 << 40)
    #expect(answer == .failure(fault))
    #expect(fault.status == 507 && fault.notice.message.contains("Free some space"))
    #expect(desk.names == [] && desk.imported == [])
    #expect(
      try await uploads.found(upload.id).get().state == .failed(fault.notice, canRetry: true)
    )
    let lines = captured.lines
    #expect(lines.map { $0["event"] } == ["upload.accepted", "upload.failed"])
    #expect(lines.map { $0["level"] } == ["info", "error"])
    #expect(lines.allSatisfy { $0["file"] == "a.pdf" })
    #expect(lines[1]["reason"] == fault.notice.message)
    #expect(!captured.text.contains(upload.id))
  }

  @Test("a file is rejected in advance if the disk has no room for it beside the files in progress")
  func noRoom() async throws {
    let desk = Desk()
    var disk = UploadDisk()
    disk.free = { _ in Uploads.roomLeft + 1000 }
    let captured = try CapturedLog()
    let uploads = desk.uploads(disk: disk, log: captured.log)
    _ = try await uploads.begun("a.pdf", 600)
    for _ in 0..<3 {
      await #expect(throws: UploadFault.noRoom(needed: 600, free: Uploads.roomLeft + 400)) {
        try await uploads.begun("b.pdf", 600)
      }
    }
    #expect(captured.lines(of: "upload.rejected").map { $0["level"] } == ["error"])
    _ = try await uploads.begun("c.pdf", 400)
    #expect(desk.names.count == 4)
  }

  @Test("the name of a file is limited in length")
  func longName() async throws {
    let desk = Desk()
    let upload = try await desk.uploads().begun(String(repeating: "e\u{301}", count: 100_000), 10)
    #expect(upload.name.utf8.count <= 600)
  }
}
