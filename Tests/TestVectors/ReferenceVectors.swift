internal import Foundation

/// Reads one table of the reference vectors, which other code computed.
/// - Parameters:
///   - name: The table's name.
///   - type: The type of the table.
/// - Returns: The table.
/// - Throws: The errors of reading and decoding the file.
package func vectors<Table: Decodable>(
  _ name: String,
  as type: Table.Type = Table.self
) throws -> Table {
  // Reads the file next to this source, so that no test needs it as a resource.
  let file = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "oracle.json")
  let decoder = JSONDecoder()
  decoder.userInfo[.tableName] = name
  return try decoder.decode(Named<Table>.self, from: Data(contentsOf: file)).table
}

/// One table of the file's dictionary, whose tables have different types.
private struct Named<Table: Decodable>: Decodable {
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let table: Table

  init(from decoder: any Decoder) throws {
    let name = decoder.userInfo[.tableName] as? String ?? ""
    table = try decoder.container(keyedBy: Key.self)
      .decode(Table.self, forKey: Key(stringValue: name))
  }
}

extension CodingUserInfoKey {
  fileprivate static var tableName: CodingUserInfoKey {
    CodingUserInfoKey(rawValue: "tableName") ?? { preconditionFailure("any text is a key") }()
  }
}

/// Returns whether a number equals the reference to nine digits.
package func agrees(_ value: Double, _ reference: Double) -> Bool {
  abs(value - reference) <= max(1e-9 * abs(reference), 1e-12)
}
