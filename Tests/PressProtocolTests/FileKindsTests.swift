import PressProtocol
import Testing

@Suite("Kinds of files by their names")
struct FileKindsTests {
  @Test(
    "bins, metadata, locks and second copies are no books",
    arguments: [
      "#recycle", "$RECYCLE.BIN", "@eaDir", ".Trash-1000", ".stversions", ".DS_Store", "@Recycle",
      "System Volume Information", "lost+found", "__MACOSX", "._a.pdf", "~$a.docx", "Thumbs.db",
      ".", "..",
      "a.sync-conflict-20260101-101010-ABCDEFG.pdf", "a (Anna's conflicted copy 2026-01-01).pdf",
      "a (conflicted copy 2026-01-01 101010).cbz",
    ]
  )
  func clutter(_ name: String) { #expect(FileKinds.isClutter(name)) }

  @Test(
    "books with similar names are books",
    arguments: [
      "recycle", "Recycling.pdf", "#1 Boats.cbz", "$100 and up.pdf", "@home.epub", "~a.pdf",
      "Sync conflict.pdf", "Trash", "a.b.c.pdf",
    ]
  )
  func books(_ name: String) { #expect(!FileKinds.isClutter(name)) }

  @Test("a kind has one list, and each ending is in one of them")
  func disjoint() {
    let all = [
      FileKinds.documents, FileKinds.images, FileKinds.otherImages, FileKinds.otherBooks,
    ]
    #expect(all.reduce(into: Set()) { $0.formUnion($1) }.count == all.reduce(0) { $0 + $1.count })
    #expect(FileKinds.ending(of: "A.PDF") == "pdf" && FileKinds.ending(of: ".pdf") == "")
  }
}

@Suite("The order of pages")
struct PageOrderTests {
  @Test(
    "is that of a reader",
    arguments: [
      ["cover.jpg", "01.jpg", "02.jpg"], ["Folder.JPG", "01.jpg", "02.jpg"],
      ["x 1.jpg", "x 1.5.jpg", "x 2.jpg"], ["x7.JPG", "x7-01.jpg", "x7-02.jpg"],
      ["１.jpg", "２.jpg", "１０.jpg"], ["١.png", "٢.png", "١٠.png"],
      ["front.png", "b.png", "a/1.png", "a/2.png", "a/b/1.png", "b/1.png"],
      ["a/cover.png", "a/1.png", "b/cover.png", "b/1.png"], ["1\\1.png", "1\\2.png", "2\\1.png"],
    ]
  )
  func order(_ names: [String]) {
    let sorted = names.reversed().map { ($0, PageOrder($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    #expect(sorted == names)
  }

  @Test("is a strict total order of any names")
  func totalOrder() {
    var state: UInt64 = 5
    let names = (0..<60).map { _ in
      (0..<5).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return Array("a01./b".utf8 + [0xFF, 0xC3])[Int(state >> 60) % 8]
      }
    }
    let keys = names.map { PageOrder(bytes: $0) }
    for one in keys {
      #expect(!(one < one))
      for other in keys where one < other {
        #expect(!(other < one))
        #expect(keys.allSatisfy { !(other < $0) || one < $0 })
      }
    }
  }
}
