/// Writes 7z archives that libarchive cannot write.
enum SevenZip {
  /// Returns an archive with one entry, which is encrypted with AES; its name is ASCII.
  static func locked(_ name: String) -> [UInt8] {
    let data = [UInt8](repeating: 9, count: 16)
    // UTF-16, preceded by a zero for names that are not stored elsewhere.
    var names: [UInt8] = [0]
    for byte in Array(name.utf8) + [0] { names += [byte, 0] }
    // One packed stream of 16 bytes, in one folder with one coder, whose identifier has 4 bytes.
    var header: [UInt8] = [1, 4, 6, 0, 1, 9, 16, 0]
    header += [7, 11, 1, 0, 1, 0x24, 0x06, 0xF1, 0x07, 0x01, 2, 0x53, 0x07, 12, 16, 0]
    header += [8, 0, 0]
    header += [5, 1, 17, UInt8(names.count)] + names + [0, 0]
    let place = little64(data.count) + little64(header.count)
    let start = place + RAR.little32(Checksum.crc32(header))
    let signature: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]
    return signature + RAR.little32(Checksum.crc32(start)) + start + data + header
  }

  private static func little64(_ value: Int) -> [UInt8] {
    RAR.little32(UInt32(value)) + [0, 0, 0, 0]
  }
}
