internal import Bytes
internal import Foundation
internal import Notices
package import Scene

// How the parts of a book are written in the records of a store.

/// A value that is written by its name.
protocol Named: Codable {
  var name: String { get }
  init?(name: String)
}

extension Named {
  fileprivate init(named decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let value = Self(name: name) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(name) is unknown")
      )
    }
    self = value
  }

  fileprivate func encodeName(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(name)
  }
}

extension Progression: Named {
  package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
  package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension PaperStock: Named {
  package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
  package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension KeyedDecodingContainer {
  /// Decodes a value by its name; one that only a later version knows counts as none.
  func decodeIfPresent<T: Named>(_ type: T.Type, forKey key: Key) throws -> T? {
    try decodeIfPresent(String.self, forKey: key).flatMap(T.init(name:))
  }
}

extension Notice {
  /// The message as a text of the catalogue, and of the records of a store.
  var stored: String {
    if code == .other { return message }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A message whose code this version may not know.
  private struct Unknown: Decodable { let code: String }

  /// Creates a message from its text.
  ///
  /// A code of a later version says nothing here, except that the book cannot be read. A sentence
  /// of a version without codes is found by its English text, if it has no values; any other is
  /// shown as it is, up to the length of a value.
  init(stored text: String) {
    let decoder = JSONDecoder()
    let bytes = Data(text.utf8)
    if let notice = try? decoder.decode(Notice.self, from: bytes) {
      self = notice
    } else if let unknown = try? decoder.decode(Unknown.self, from: bytes) {
      // Earlier versions had two codes for EPUBs that they could not lay out.
      let isEPUB = ["reflowable", "fixedLayout"].contains(unknown.code)
      self.init(isEPUB ? .engineMissing : .bookUnreadable)
    } else {
      self = Code(rawValue: text).map { Notice($0) } ?? Notice(other: text)
    }
  }
}

extension KeyedDecodingContainer {
  func decodeIfPresent(_ type: Notice.Type, forKey key: Key) throws -> Notice? {
    try decodeIfPresent(String.self, forKey: key).map(Notice.init(stored:))
  }
}

extension KeyedEncodingContainer {
  mutating func encodeIfPresent(_ notice: Notice?, forKey key: Key) throws {
    try encodeIfPresent(notice?.stored, forKey: key)
  }
}

extension BookState {
  /// Decodes a state; one that only a later version knows is a failure.
  package init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .failed
  }
}

extension Colour: Codable {
  init(from decoder: any Decoder) throws {
    self.init(hex: try decoder.singleValueContainer().decode(Int.self))
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(hex)
  }
}

extension PageLabels {
  /// Decodes labels; skips runs that it cannot parse.
  init(text: String) {
    self.init(
      runs: text.split(separator: "\u{1E}").compactMap { entry in
        let parts = entry.split(separator: "\u{1F}", maxSplits: 1)
        guard parts.count == 2, let page = Int(parts[0]) else { return nil }
        return PageLabels.Run(page: page, label: String(parts[1]))
      }
    )
  }

  /// The labels as text: each run as its page, a unit separator and its label, with record
  /// separators between runs.
  var text: String { runs.map { "\($0.page)\u{1F}\($0.label)" }.joined(separator: "\u{1E}") }
}

extension PageLabels: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(text: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}

extension PageRow: Codable {
  private enum CodingKeys: String, CodingKey {
    case width = "w"
    case height = "h"
    case label, asset, format, fault
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    width = try fields.decode(Double.self, forKey: .width)
    height = try fields.decode(Double.self, forKey: .height)
    label = try fields.decodeIfPresent(String.self, forKey: .label) ?? ""
    asset = try fields.decodeIfPresent(String.self, forKey: .asset).flatMap(Hexadecimal.digest)
    format = try fields.decodeIfPresent(String.self, forKey: .format)
    fault = try fields.decodeIfPresent(Notice.self, forKey: .fault)
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(width, forKey: .width)
    try fields.encode(height, forKey: .height)
    try fields.encodeIfPresent(label.isEmpty ? nil : label, forKey: .label)
    try fields.encodeIfPresent(asset.map(Hexadecimal.text), forKey: .asset)
    try fields.encodeIfPresent(format, forKey: .format)
    try fields.encodeIfPresent(fault, forKey: .fault)
  }
}
