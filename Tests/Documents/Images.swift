/// Images for tests.
package enum Images {
  /// Returns a PNG of one colour.
  package static func png(
    width: Int,
    height: Int,
    red: UInt8 = 40,
    green: UInt8 = 90,
    blue: UInt8 = 160
  ) -> [UInt8] {
    var row: [UInt8] = [0]
    for _ in 0..<width { row += [red, green, blue] }
    var rows: [UInt8] = []
    for _ in 0..<height { rows += row }
    return png(width: width, height: height, depth: 8, type: 2, rows: rows)
  }

  /// Returns a PNG with an Exif orientation: its upper third is white as stored, the rest is black.
  package static func turnedPNG(width: Int, height: Int, orientation: UInt8) -> [UInt8] {
    var rows: [UInt8] = []
    for row in 0..<height {
      rows += [0] + [UInt8](repeating: row < height / 3 ? 255 : 0, count: width)
    }
    let exif: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation]
      + [0, 0, 0, 0, 0, 0]
    return png(width: width, height: height, depth: 8, type: 0, rows: rows, exif: exif)
  }

  /// Returns a PNG whose rows are random, except those in the given ranges, which are white.
  package static func striped(width: Int, height: Int, quiet: [Range<Int>]) -> [UInt8] {
    let noise = noise(count: width * height * 3)
    var rows: [UInt8] = []
    for row in 0..<height {
      rows.append(0)
      let isQuiet = quiet.contains { $0.contains(row) }
      rows +=
        isQuiet
        ? [UInt8](repeating: 255, count: width * 3)
        : Array(noise[(row * width * 3)..<((row + 1) * width * 3)])
    }
    return png(width: width, height: height, depth: 8, type: 2, rows: rows)
  }

  /// Returns a PNG of random colours.
  package static func noisePNG(width: Int, height: Int) -> [UInt8] {
    let noise = noise(count: width * height * 3)
    var rows: [UInt8] = []
    for row in 0..<height {
      rows.append(0)
      rows += noise[(row * width * 3)..<((row + 1) * width * 3)]
    }
    return png(width: width, height: height, depth: 8, type: 2, rows: rows)
  }

  /// A PNG of one row of pixels whose header claims 60,000 x 60,000 pixels of one bit.
  package static var hugePNG: [UInt8] {
    png(width: 60_000, height: 60_000, depth: 1, type: 0, rows: [UInt8](repeating: 0, count: 7_501))
  }

  /// Returns an SVG drawing with a circle, and with additional elements before the circle.
  package static func svg(width: Int = 300, height: Int = 400, inside: String = "") -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        width="\(width)" height="\(height)">
        <rect width="100%" height="100%" fill="white"/>\(inside)
        <circle cx="\(width / 2)" cy="\(height / 2)" r="\(width / 4)" fill="red"/>
      </svg>
      """.utf8
    )
  }

  /// Returns a TIFF of grey pages.
  package static func tiff(_ pages: [(width: Int, height: Int)]) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let folderBytes = 2 + 9 * 12 + 4
    var data = 8 + pages.count * folderBytes
    var bytes = Array("II*\0".utf8) + little(8, 4)
    for (index, page) in pages.enumerated() {
      // Width, height, depth, compression, photometric, strip, samples, rows, bytes.
      let fields = [
        (256, page.width), (257, page.height), (258, 8), (259, 1), (262, 1), (273, data), (277, 1),
        (278, page.height), (279, page.width * page.height),
      ]
      bytes += little(fields.count, 2)
      for (tag, value) in fields {
        bytes += little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4)
      }
      let isLast = index == pages.count - 1
      bytes += little(isLast ? 0 : 8 + (index + 1) * folderBytes, 4)
      data += page.width * page.height
    }
    return bytes + pages.flatMap { [UInt8](repeating: 200, count: $0.width * $0.height) }
  }

  /// Returns random bytes, always the same.
  static func noise(count: Int) -> [UInt8] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  private static func png(
    width: Int,
    height: Int,
    depth: UInt8,
    type: UInt8,
    rows: [UInt8],
    exif: [UInt8]? = nil
  ) -> [UInt8] {
    let header = big32(UInt32(width)) + big32(UInt32(height)) + [depth, type, 0, 0, 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", header)
    if let exif { bytes += chunk("eXIf", exif) }
    bytes += chunk("IDAT", zlib(rows))
    return bytes + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big32(UInt32(data.count)) + body + big32(Checksum.crc32(body))
  }

  /// Returns data in the zlib format, without compression.
  private static func zlib(_ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65_535) {
      let end = min(data.count, start + 65_535)
      let count = UInt16(end - start)
      bytes.append(end == data.count ? 1 : 0)
      for value in [count, ~count] { bytes += [UInt8(value & 255), UInt8(value >> 8)] }
      bytes += data[start..<end]
    }
    return bytes + big32(Checksum.adler32(data))
  }

  private static func big32(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// The checksums of file formats.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
