import Notices
import PressProtocol
import Testing

@testable import Library

@Suite("Messages of faults")
struct FaultNoticeTests {
  @Test("are sentences that also say what to do")
  func sentences() {
    let faults: [PressFault] = [
      .encrypted, .noPages(.pdf), .noPages(.zip), .unsupported("emptyFile"), .engineMissing,
      .unsupportedArchive(.rar), .unreadable(name: "a.pdf", reason: "replaced"), .busy,
      .tookTooLong(page: nil), .tookTooLong(page: 3), .imageDamaged(name: ""),
    ]
    for message in faults.map(\.notice.message) {
      #expect(message.hasSuffix(".") && message.split(separator: ". ").count >= 2, "\(message)")
      #expect(!message.contains("{"), "\(message)")
    }
  }

  @Test("name the value and the limit")
  func valueAndLimit() {
    #expect(
      PressFault.tooManyPages(300_000, limit: 5_000).notice.message
        == "This book has 300,000 pages; the limit is 5,000. Split it."
    )
    #expect(
      PressFault.fileTooLarge(bytes: 3 << 30, limit: 1 << 30).notice.message
        == "This file is larger than 1 GiB: it has 3 GiB. Split it."
    )
    #expect(
      PressFault.imageTooLarge(name: "a.png", width: 60_000, height: 60_000, limit: 200_000_000)
        .notice.message
        == "Image a.png has 60000 x 60000 pixels; the limit is 200,000,000. Make it smaller."
    )
    #expect(
      PressFault.entryTooLarge(name: "0001.png", limit: 64 << 20).notice.message
        == "0001.png unpacks to more than 64 MiB. Make it smaller."
    )
  }

  @Test("count pages from 1")
  func pagesFromOne() {
    #expect(PressFault.pageTooLarge(0).notice.message.hasPrefix("Page 1 is too large to show."))
    #expect(PressFault.stopped(page: 11).notice.message.contains("stopped on page 12"))
  }

  @Test("contain no control characters and no endless names")
  func controlCharacters() {
    let name = "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 500)
    let message = PressFault.imageDamaged(name: name).notice.message
    #expect(!message.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    #expect(message.count < 400)
  }

  @Test("are kept in the catalogue, and a text of an earlier version is shown unchanged")
  func stored() {
    let notice = PressFault.tooManyPages(9, limit: 5).notice
    #expect(Notice(stored: notice.stored) == notice)
    let old = Notice(stored: "This PDF is damaged.")
    #expect(old.code == .other && old.message == "This PDF is damaged.")
    #expect(Notice(stored: Notice(.bookUnreadable).message).code == .bookUnreadable)
    #expect(Notice(stored: #"{"code":"later","values":{}}"#).code == .bookUnreadable)
  }

  @Test("are bounded, whichever process stored them")
  func bounded() throws {
    var stored = Notice(.fileUnreadable, ["name": "a", "reason": "b"]).stored
    let long = "\u{202E}" + String(repeating: "\u{1F600}", count: 5000)
    stored = stored.replacing(#""a""#, with: "\"\(long)\"")
    let read = Notice(stored: stored)
    #expect(read.code == .fileUnreadable && read.values["reason"] == "b")
    let name = try #require(read.values["name"])
    #expect(name.unicodeScalars.count < 310 && !name.contains("\u{202E}"))
    // The catalogue does not cut it, so it stays a message.
    #expect(read.stored.utf8.count < TextLimits.failure)
    #expect(Notice(stored: read.stored) == read)
  }

  @Test("write only those values as numbers whose sentences say so")
  func numbers() {
    #expect(Notice(.catalogueFailed, ["number": "1544"]).message.contains("1544"))
  }
}
