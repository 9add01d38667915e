import Foundation
import PressProtocol
import Rooms
import Scene

@testable import Library
@testable import SharedStore

func checkStore(_ bytes: [UInt8]) throws {
  if let listing = S3Listing(xml: bytes) {
    try require(listing.entries.allSatisfy { $0.size >= 0 }, "a size of \(listing)")
  }
  _ = S3Listing.text("Code", in: bytes)
  if let shared = try decodedRecord(bytes, SharedBook.self) {
    _ = SharedBase(shared, previous: Correction()).isOverwritten(by: shared)
    if let contents = shared.book {
      let row = contents.row(over: nil, hash: [1])
      try require(row.bounded == row, "\(row) is bounded to \(row.bounded)")
      _ = (row.shape.labels[row.pages], row.imposition, row.faceSize, row.cover)
    }
  }
  let contents = try decodedRecord(bytes, SharedTexts.self)?.contents.map(\.bounded) ?? []
  for content in contents {
    let words = WordCoding.decoded(WordCoding.encoded(content.words))
    try require(words == content.words, "\(content.words) become \(words)")
    try require(content.bounded == content, "\(content) is bounded to \(content.bounded)")
  }
  _ = try decodedRecord(bytes, SharedRoom.self)
  _ = try decodedRecord(bytes, RoomState.self)
  if let reader = try decodedRecord(bytes, SharedReader.self)?.record(of: ReaderID(digest: [])) {
    let merged = reader.merged(with: reader)
    try require(merged == reader, "\(reader) merged with itself is \(merged)")
  }
}

/// Decodes a record, and checks that its encoding decodes to what is encoded in the same way.
private func decodedRecord<Record: Codable>(
  _ bytes: [UInt8],
  _ type: Record.Type
) throws -> Record? {
  guard let record = try? JSONDecoder().decode(type, from: Data(bytes)) else { return nil }
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  let encoded = try encoder.encode(record)
  let again = try encoder.encode(try JSONDecoder().decode(type, from: encoded))
  try require(
    again == encoded,
    "\(String(decoding: encoded, as: UTF8.self)) becomes \(String(decoding: again, as: UTF8.self))"
  )
  return record
}
