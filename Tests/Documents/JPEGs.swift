extension Images {
  /// Returns a grey JPEG whose blocks all have the same vertical waves.
  /// - Parameters:
  ///   - width: The width in pixels; a multiple of 8.
  ///   - height: The height in pixels; a multiple of 8.
  ///   - segments: Segments to put at the beginning.
  /// - Returns: The file.
  package static func jpeg(width: Int, height: Int, segments: [UInt8] = []) -> [UInt8] {
    func segment(_ code: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [0xFF, code] + big16(bytes.count + 2) + bytes
    }
    func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    // The tables know one symbol for the mean of a block, and two for its waves: 64 in the first
    // of them, and no others.
    let means: [UInt8] = [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0]
    let waves: [UInt8] = [0x10, 1, 1] + [UInt8](repeating: 0, count: 14) + [0x07, 0x00]
    var file: [UInt8] = [0xFF, 0xD8] + segments
    file += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    file += segment(0xC0, [8] + big16(height) + big16(width) + [1, 1, 0x11, 0])
    file += segment(0xC4, means) + segment(0xC4, waves) + segment(0xDA, [1, 1, 0, 0, 63, 0])
    let block: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    var (bits, count) = (0, 0)
    for _ in 0..<(width / 8 * height / 8) {
      for bit in block {
        (bits, count) = (bits << 1 | Int(bit), count + 1)
        guard count == 8 else { continue }
        file.append(UInt8(bits))
        if bits == 0xFF { file.append(0) }
        (bits, count) = (0, 0)
      }
    }
    // The last byte is filled with ones.
    if count > 0 { file.append(UInt8(bits << (8 - count) | (1 << (8 - count)) - 1)) }
    return file + [0xFF, 0xD9]
  }
}
