internal import PressProtocol

/// Reads the size from a JPEG stream (ITU T.81, annex B) and rotates it as its Exif block says.
enum JPEGHeader {
  static func size(_ bytes: HeaderBytes) throws(ImageFault) -> (width: Double, height: Double) {
    var position = 2
    var isTurned = false
    while true {
      guard let first = bytes.byte(at: position), let code = bytes.byte(at: position + 1) else {
        throw .truncated(.jpeg)
      }
      guard first == 0xFF else { throw .damaged(.jpeg) }
      switch code {
      case 0xFF:
        position += 1  // Fill bytes may stand before any marker.
      case 0x01, 0xD0...0xD8: position += 2
      case 0xC0...0xCF where code != 0xC4 && code != 0xC8 && code != 0xCC:
        guard let height = bytes.bigEndian16(at: position + 5),
          let width = bytes.bigEndian16(at: position + 7)
        else { throw .truncated(.jpeg) }
        return isTurned
          ? (Double(height), Double(width)) : (Double(width), Double(height))
      case 0xD9, 0xDA: throw .damaged(.jpeg)
      default:
        guard let length = bytes.bigEndian16(at: position + 2) else { throw .truncated(.jpeg) }
        guard length >= 2 else { throw .damaged(.jpeg) }
        if code == 0xE1, bytes.matches("Exif", at: position + 4) {
          isTurned = (5...8).contains(orientation(bytes, tiff: position + 10))
        }
        position += 2 + length
      }
    }
  }

  /// Returns the Exif orientation, 1 to 8; from 5 on, a browser shows the image on its side.
  private static func orientation(_ bytes: HeaderBytes, tiff: Int) -> Int {
    let isLittle = bytes.matches("II", at: tiff)
    func short(_ index: Int) -> Int {
      (isLittle ? bytes.littleEndian16(at: index) : bytes.bigEndian16(at: index)) ?? 0
    }
    // The offset of the directory has 32 bits, but this block has at most 64 KB.
    let directory = tiff + (isLittle ? short(tiff + 4) : short(tiff + 6))
    for entry in 0..<min(short(directory), 64) {
      let place = directory + 2 + 12 * entry
      if short(place) == 0x0112 { return short(place + 8) }
    }
    return 1
  }
}
