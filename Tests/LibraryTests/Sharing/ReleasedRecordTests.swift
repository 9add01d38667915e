import Foundation
import Notices
import PressProtocol
import Scene
import SharedStore
import TestStores
import Testing

@testable import Library

/// Records of books as released servers have written them.
private enum ReleasedRecord {
  static let whale = #"""
    {"after":"1990sbbmp1g4o","book":{"added":1795795494.5046136,\#
    "correction":{"author":"Melville","cover":2,"deleted":1795795500.25,"direction":"ltr",\#
    "isShifted":true,"stock":"board"},\#
    "file":{"byteSize":429,"format":"folder","isImages":true,"name":"Whale","password":""},\#
    "id":"anyvztxkx1xx1mj45vyl07ab",\#
    "metadata":{"author":"H. M.","direction":"rtl","hasSpreads":true,"language":"",\#
    "stock":"card","title":"The Whale"},"outline":[],\#
    "pages":[{"asset":"8239a0e989ebff91beea0fda1b6429d4723aedc1af478eee615c0d32b413379a",\#
    "format":"png","h":40,"w":30},\#
    {"asset":"b01ec9481080651b25481870a8cfdfb3f2beb2ffef4a52698b6514de9c4d357a","format":"png",\#
    "h":41,"w":30},\#
    {"asset":"0adcfcf50797bfbe1dfb35e0ec3628f04572f4cd1b2234c1bce7e5bfe082cf1b","format":"png",\#
    "h":42,"w":60},\#
    {"asset":"686c0b9682406ada37a094de5df71fd6d282c5fd36d8aeb0dbe655dcae240d65","format":"png",\#
    "h":43,"w":30}],\#
    "shape":{"blank":[],"cloth":10631978,"height":40,"labels":"","lettering":16052200,\#
    "revision":1,"wide":[2],"width":30},"shelf":"dir:Sea",\#
    "status":{"hasText":false,"isIndexed":true,"mayRetry":true,"state":"ready"},"texts":[]},\#
    "version":2,"writer":"1990sbbmp1g4o","written":1795795509.4817367}
    """#

  static let moby = #"""
    {"after":"","book":{"added":1795795494.556367,"correction":{},\#
    "file":{"byteSize":1092,"format":"pdf","isImages":false,"name":"moby.pdf","password":""},\#
    "id":"98woja0uovacp6ba73kus4xv",\#
    "metadata":{"author":"Herman Melville","language":"","title":"Moby Dick"},\#
    "outline":[{"depth":0,"page":1,"title":"Loomings"}],\#
    "pages":[{"h":700,"label":"i","w":500},\#
    {"h":700,"label":"1","w":500}],\#
    "shape":{"blank":[],"height":700,"labels":"0\u001fi\u001e1\u001f1","revision":1,"wide":[],\#
    "width":500},"shelf":"dir:Sea",\#
    "status":{"hasText":true,"isIndexed":true,"mayRetry":true,"state":"ready"},\#
    "texts":[{"count":2,\#
    "digest":"539a223c33d0580a88107cb6f2127efa44122ec51660c4cbbbff1b4efb158105","page":0}]},\#
    "version":1,"writer":"1990sbbmp1g4o","written":1795795495.6606345}
    """#

  static let broken = #"""
    {"after":"","book":{"added":1795795494.5159497,"correction":{},\#
    "file":{"byteSize":16,"format":"unknown","isImages":false,"name":"broken.pdf",\#
    "password":""},"id":"3o08qew1f9pj86wyg8xcwzjp",\#
    "metadata":{"author":"","language":"","title":"broken"},"outline":[],\#
    "pages":[],\#
    "shape":{"blank":[],"height":1,"labels":"","revision":1,"wide":[],"width":1},\#
    "shelf":"dir:Sea",\#
    "status":{"failure":"This PDF is damaged and could not be opened. Try another copy of the \#
    file.","hasText":false,"isIndexed":true,"mayRetry":false,"state":"failed"},"texts":[]},\#
    "version":1,"writer":"1990sbbmp1g4o","written":1795795495.5579867}
    """#

  static let base = #"""
    {"correction":{"author":"Melville","cover":2,"direction":"ltr","isShifted":true,\#
    "stock":"board"},"isDeleted":false,"previous":{},"revision":1,"texts":[],"version":2,\#
    "writer":"1990sbbmp1g4o"}
    """#
}

@Suite("Records of released servers", .timeLimit(.minutes(5)))
struct ReleasedRecordTests {
  @Test("are read, and written again as they are, so that older servers of a store read ours")
  func coding() throws {
    for text in [ReleasedRecord.whale, ReleasedRecord.moby, ReleasedRecord.broken] {
      let record = try SharedCoding.record(SharedBook.self, Array(text.utf8))
      #expect(String(decoding: try SharedCoding.bytes(record), as: UTF8.self) == text)
    }
    let base = try SharedCoding.record(SharedBase.self, Array(ReleasedRecord.base.utf8))
    #expect(String(decoding: try SharedCoding.bytes(base), as: UTF8.self) == ReleasedRecord.base)
  }

  @Test("have all facts about a book")
  func facts() throws {
    let whale = try SharedCoding.record(SharedBook.self, Array(ReleasedRecord.whale.utf8))
    #expect(whale.version == 2 && whale.after == whale.writer && !whale.writer.isEmpty)
    let contents = try #require(whale.book)
    let book = contents.row(over: nil, hash: Secrets.digest(of: "whale"))
    #expect(book.title == "The Whale" && book.author == "Melville" && book.pages == 4)
    #expect(book.metadata.direction == .rightToLeft && book.direction == .leftToRight)
    #expect(book.metadata.stock == .card && book.stock == .board && book.hasSpreads == true)
    #expect(book.isShifted && book.cover == 2 && book.deleted == 1_795_795_500.25)
    #expect(book.shape.colours?.cloth.css == "#a23b2a" && book.shape.wide == [2])
    #expect(book.shape.colours?.lettering.css == "#f4efe8" && book.file.isImages)
    #expect(contents.pages.map(\.height) == [40, 41, 42, 43] && contents.shelf == "dir:Sea")
    #expect(contents.pages.allSatisfy { $0.asset?.count == 32 && $0.format == "png" })
    let moby = try SharedCoding.record(SharedBook.self, Array(ReleasedRecord.moby.utf8)).book
    #expect(moby?.row.shape.labels[0] == "i" && moby?.row.shape.labels[1] == "1")
    #expect(moby?.outline.map(\.title) == ["Loomings"] && moby?.texts.first?.count == 2)
    let broken = try SharedCoding.record(SharedBook.self, Array(ReleasedRecord.broken.utf8)).book
    #expect(broken?.row.state == .failed && broken?.row.mayRetry == false)
    #expect(broken?.row.failure?.message.contains("damaged") == true)
  }

  @Test("with values of a later version are read without these values")
  func later() throws {
    let text = ReleasedRecord.whale.replacingOccurrences(of: "\"rtl\"", with: "\"up\"")
      .replacingOccurrences(of: "\"card\"", with: "\"silk\"")
      .replacingOccurrences(of: "\"state\":\"ready\"", with: "\"state\":\"lent\",\"new\":7")
    let row = try #require(try SharedCoding.record(SharedBook.self, Array(text.utf8)).book?.row)
    #expect(row.metadata.direction == nil && row.metadata.stock == nil && row.state == .failed)
    #expect(row.correction.stock == .board)
  }

  @Test("open in a library that joins their store")
  func store() throws {
    let store = try TestStore(.folder)
    for (name, text) in [("m", ReleasedRecord.moby), ("w", ReleasedRecord.whale)] {
      let key = try #require(BlobKey.meta(Secrets.digest(of: name)))
      try store.store.put(Array(text.utf8), at: key)
    }
    let libraries = SharedLibraries(store, announces: false)
    let library = try libraries.library(1)
    #expect(libraries.wait { library.bookCount == 1 && library.binnedBooks().count == 1 })
    let moby = try #require(library.named("Moby Dick"))
    #expect(moby.source == .store && moby.added == 1795795494.556367 && moby.pages == 2)
    #expect(try library.bound(moby.id).allLabels == ["i", "1"])
    #expect(try library.outline(of: moby.id).map(\.title) == ["Loomings"])
    let whale = try library.restore(#require(library.binnedBooks().first).id)
    #expect(whale.title == "The Whale" && whale.author == "Melville" && whale.stock == .board)
  }
}
