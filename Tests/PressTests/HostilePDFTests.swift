import Foundation
import PressProtocol
import TestDocuments
import Testing

@Suite("A press with a hostile or broken PDF")
struct HostilePDFTests {
  @Test("asks for the password and accepts the right one")
  func password() throws {
    let press = try PressProcess(Vectors.lockedPDF)
    #expect(throws: PressFault.encrypted) { try press.open() }
    #expect(throws: PressFault.wrongPassword) { try press.open("guess") }
    #expect(try press.open("open").pages == [PageFacts(width: 300, height: 400)])
    #expect(try press.content(0).text.contains("A locked page"))
  }

  @Test(
    "accepts a password whose letters are composed in another way than when it was set",
    arguments: ["Gr\u{FC}\u{DF}e", "Gru\u{308}\u{DF}e"]
  )
  func composedPassword(typed: String) throws {
    let press = try PressProcess(Vectors.umlautPDF)
    #expect(throws: PressFault.wrongPassword) { try press.open("Grusse") }
    #expect(try press.open(typed).pages.count == 1)
  }

  @Test("reports that a truncated or invalid document is damaged")
  func truncatedOrInvalid() throws {
    let cut = Array(PDFs.book(pages: 3).prefix(60))
    #expect(throws: PressFault.damaged(.pdf)) { try PressProcess(cut).open() }
    let noise = Array("%PDF-1.7\nnothing of the kind".utf8)
    #expect(throws: PressFault.damaged(.pdf)) { try PressProcess(noise).open() }
  }

  @Test("reports that a document without pages is damaged")
  func withoutPages() throws {
    var writer = PDFWriter()
    _ = writer.add("<< /Type /Catalog /Pages 2 0 R >>")
    _ = writer.add("<< /Type /Pages /Count 2000000000 /Kids [] >>")
    let press = try PressProcess(writer.finished(trailer: "/Root 1 0 R"))
    #expect(throws: PressFault.noPages(.pdf)) { try press.open() }
  }

  @Test("counts 300,000 pages and stops")
  func manyPages() throws {
    let press = try PressProcess(PDFs.endless(pages: 300_000))
    #expect(throws: PressFault.tooManyPages(300_000, limit: 5_000)) { try press.open() }
  }

  @Test("shows the other pages if one has an absurd size")
  func absurdSize() throws {
    let pages = [
      PDFs.Page(entries: "/MediaBox [0 0 100000 1]"), PDFs.Page(["fine"]),
      PDFs.Page(entries: "/MediaBox [0 0 14000 14000]"),
      PDFs.Page(entries: "/MediaBox [0 0 1e9 1e9]"), PDFs.Page(entries: "/MediaBox [0 0 0 0]"),
    ]
    let press = try PressProcess(PDFs.make(pages))
    #expect(try press.open().pages.count == 5)
    #expect(throws: PressFault.pageTooLarge(0)) { try press.render(0, 300) }
    #expect(try press.render(1, 300).height == 300)
    #expect(try press.render(2, 300).width == 300)
    for page in 3...4 {
      // Poppler may use another size for these; in any case the press continues.
      _ = try? press.render(page, 300)
    }
    #expect(try press.render(1, 300).height == 300)
  }

  @Test("is ended by the time limit on endlessly nested forms")
  func timeLimit() throws {
    let press = try PressProcess(PDFs.nestedForms(depth: 20), ["--page-seconds=1"])
    _ = try press.open()
    #expect(try press.ask(.render(page: 0, height: 300, effort: .onDemand)) == nil)
    let end = press.end()
    let fault = PressFault.ending(signal: end.signal, diagnostics: end.errors, page: 0)
    #expect(fault == .tookTooLong(page: 0))
  }

  // Under a sanitizer the memory of a press is unlimited: its shadow memory alone has terabytes.
  @Test(
    "reports a page that needs too much memory",
    .enabled(if: ProcessInfo.processInfo.environment["LECTERN_SANITIZER"] == nil)
  )
  func memoryLimit() throws {
    let press = try PressProcess(PDFs.book(pages: 1), ["--memory-bytes=400000000"])
    _ = try press.open()
    let reply = try press.ask(.render(page: 0, height: 7_000, effort: .onDemand))
    var fault: PressFault?
    if case .fault(let told)? = reply { fault = told }
    if reply == nil {
      let end = press.end()
      fault = .ending(signal: end.signal, diagnostics: end.errors, page: 0)
    }
    #expect(fault == .neededTooMuchMemory(page: 0))
  }

  @Test("answers requests for missing pages with a fault")
  func missingPages() throws {
    let press = try PressProcess(PDFs.book(pages: 2))
    _ = try press.open()
    #expect(throws: PressFault.noSuchPage(2, count: 2)) { try press.render(2, 300) }
    #expect(throws: PressFault.noSuchPage(9, count: 2)) { try press.content(9) }
  }

  @Test("survives randomly changed bytes, or ends with a fault")
  func changedBytes() throws {
    let book = PDFs.book(pages: 5)
    var state: UInt64 = 7
    for _ in 0..<12 {
      var bytes = book
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      let press = try PressProcess(bytes)
      guard (try? press.open()) != nil else { continue }
      _ = try? press.render(0, 100)
    }
  }
}
