import Glibc
import PressProtocol
import TestDocuments
import Testing

@Suite("A press")
struct SessionTests {
  @Test("ends without diagnostics when its input does")
  func endsQuietly() throws {
    let end = try PressProcess(PDFs.book(pages: 1)).end()
    #expect((end.signal, end.code) == (nil, 0))
    #expect(end.errors == "")
  }

  @Test("leaves requests to stop to the server, which sends them to nobody but itself")
  func heedsNoRequestToStop() throws {
    let press = try PressProcess(Archives.comic(pages: 1))
    _ = try press.open()
    for signal in [SIGINT, SIGTERM, SIGHUP] { press.send(signal: signal) }
    _ = try press.extract()
    let end = press.end()
    #expect((end.signal, end.code) == (nil, 0))
  }

  @Test("reports a document that it cannot read")
  func unreadable() throws {
    #expect(throws: PressFault.damaged(.djvu)) {
      try PressProcess(Array("AT&TFORM\0\0\0\0DJVUINFO".utf8)).open()
    }
    #expect(throws: PressFault.unsupported("unknownFile")) {
      try PressProcess([0, 1, 2, 3]).open()
    }
    #expect(throws: PressFault.unsupported("emptyFile")) { try PressProcess([]).open() }
    #expect(throws: PressFault.fileTooLarge(bytes: 10, limit: 9)) {
      try PressProcess(Array("%PDF-1.7 x".utf8), ["--file-bytes=9"]).open()
    }
  }

  @Test("answers invalid requests with a fault and continues")
  func invalidRequests() throws {
    let press = try PressProcess(Archives.comic(pages: 1))
    func isBad(_ request: PressRequest) throws -> Bool {
      if case .fault(.badRequest)? = try press.ask(request) { return true }
      return false
    }
    #expect(try isBad(.outline))
    #expect(try isBad(.extract(.standard)))
    _ = try press.open()
    #expect(throws: PressFault.noSuchPage(0, count: 0)) { try press.render(0, 300) }
    _ = try press.extract()
    #expect(try isBad(.render(page: 0, height: 300, effort: .idle)))
    let pdf = try PressProcess(PDFs.book(pages: 1))
    _ = try pdf.open()
    #expect(throws: PressFault.badRequest("this document is not an archive")) { try pdf.extract() }
    #expect(throws: PressFault.badRequest("there is no document at descriptor 3")) {
      try PressProcess().open()
    }
  }

  @Test("ends on bytes that are not a request")
  func invalidBytes() throws {
    let press = try PressProcess()
    press.send([2, 0, 0, 0, 0x77, 0x77])
    guard case .fault(.badRequest)? = try press.receive() else {
      Issue.record("the press took it for a request")
      return
    }
    #expect(try press.receive() == nil)
    #expect(press.end().code == 0)
  }

  @Test("rejects arguments that are not limits")
  func invalidArguments() throws {
    let end = try PressProcess(nil, ["--pages=many"]).end()
    #expect(end.code == 2)
    #expect(end.errors.contains("--pages=many"))
  }
}
