/// Writes RAR archives of version 5, without compression.
enum RAR {
  static func make(_ entries: [Archives.Entry]) -> [UInt8] {
    var bytes = Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8)
    // Main header: no flags.
    bytes += header([1, 0, 0])
    for entry in entries {
      // A file: data follow the header, it has a checksum, and it is stored, on Unix.
      var fields: [UInt8] = [2, 2]
      fields += number(entry.bytes.count) + [4] + number(entry.bytes.count) + number(0o100644)
      fields += little32(Checksum.crc32(entry.bytes)) + [0, 1]
      fields += number(entry.name.count) + entry.name
      bytes += header(fields) + entry.bytes
    }
    return bytes + header([5, 0, 0])
  }

  /// Returns the beginning of an archive whose headers are encrypted.
  static func locked() -> [UInt8] {
    // A header of type 4: without flags, of version 0, with 2^15 rounds and a salt.
    let lock = header([4, 0, 0, 0, 15] + [UInt8](repeating: 7, count: 16))
    return Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8) + lock + [UInt8](repeating: 9, count: 64)
  }

  /// Returns a header preceded by its checksum and its length.
  private static func header(_ fields: [UInt8]) -> [UInt8] {
    let body = number(fields.count) + fields
    return little32(Checksum.crc32(body)) + body
  }

  /// Returns a number with seven bits per byte, lowest first.
  private static func number(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func little32(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
