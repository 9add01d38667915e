import PressProtocol
import TestDocuments
import Testing

@Suite("The end of an image")
struct ImageEndTests {
  private static let images: [(ImageFormat, [UInt8])] = [
    (.jpeg, Vectors.jpeg), (.webp, Vectors.webp), (.png, Images.png(width: 9, height: 9)),
    (.svg, Images.svg()),
  ]

  @Test("is there in a complete file, and in none of its beginnings", arguments: images)
  func beginnings(_ format: ImageFormat, _ bytes: [UInt8]) {
    #expect(ImageEnd.isWhole(format, bytes))
    for count in 0..<bytes.count {
      let isWhole = ImageEnd.isWhole(format, Array(bytes.prefix(count)))
      // Only white space, or the byte that makes the length even, may be missing.
      #expect(!isWhole || count >= bytes.count - 1, "\(count) of \(bytes.count)")
    }
  }

  @Test("may be followed by zeros and white space in a JPEG and a drawing")
  func padding() {
    for padding in [[0, 0, 0], [0x0A], [0x0D, 0x0A, 0x20]] as [[UInt8]] {
      #expect(ImageEnd.isWhole(.jpeg, Vectors.jpeg + padding))
      #expect(ImageEnd.isWhole(.svg, Images.svg() + padding))
    }
    #expect(!ImageEnd.isWhole(.jpeg, Vectors.jpeg + [1]))
    #expect(!ImageEnd.isWhole(.jpeg, [0xFF]) && !ImageEnd.isWhole(.webp, Array("RIFF".utf8)))
  }
}
