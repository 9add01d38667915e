import Geometry
import TestVectors
import Testing

@testable import Library

@Suite("Image header")
struct ImageHeaderTests {
  @Test("tells format and size of every kind of raster image")
  func rasters() throws {
    let known: [([UInt8], ImageFormat)] = [
      (Images.png(640, 480), .png), (Images.jpeg(640, 480), .jpeg),
      (Images.webpLossy(640, 480), .webp), (Images.webpLossless(640, 480), .webp),
      (Images.webpExtended(640, 480), .webp),
    ]
    for (bytes, format) in known {
      let header = try ImageHeader(bytes)
      #expect(header.format == format)
      #expect(header.size == Size(width: 640, height: 480))
    }
  }

  @Test("turns a JPEG as its Exif block asks, as browsers do", arguments: 1...8)
  func orientation(_ value: Int) throws {
    let size = try ImageHeader(Images.jpeg(640, 480, orientation: value)).size
    let turned = Size(width: 480, height: 640)
    #expect(size == (value >= 5 ? turned : Size(width: 640, height: 480)))
  }

  @Test(
    "reads the size of an SVG from its root",
    arguments: [
      ("width=\"300\" height=\"470\"", 300.0, 470.0),
      ("width='30pt' height='60px'", 40, 60),
      ("viewBox=\"0 0 362 568\"", 362, 568),
      ("viewBox='0,0,10,20' width=\"100%\" height=\"100%\"", 10, 20),
      ("viewBox=\"-5 -5 100 50\" width=\"200\"", 200, 100),
      ("viewBox=\"0 0 100 50\" height = \"1in\"", 192, 96),
      ("xmlns:x=\"a>b\" width=\"2.5e1\" height=\"50\"", 25, 50),
    ]
  )
  func svg(attributes: String, width: Double, height: Double) throws {
    #expect(try ImageHeader(Images.svg(attributes)).size == Size(width: width, height: height))
  }

  @Test("says what is wrong with a file that cannot be shown")
  func faults() {
    func fault(_ bytes: [UInt8]) -> ImageFault? {
      do {
        _ = try ImageHeader(bytes)
        return nil
      } catch { return error }
    }
    #expect(fault([]) == .empty)
    #expect(fault(Array("hello".utf8)) == .unknownFormat)
    #expect(fault(Array("<html width='1' height='1'>".utf8)) == .unknownFormat)
    #expect(fault(Array(Images.png(4, 4).prefix(20))) == .truncated(.png))
    #expect(fault(Images.png(0, 4)) == .sizeless(.png))
    #expect(fault(Images.png(4000, 4)) == .sizeless(.png))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xDA, 0, 4]) == .damaged(.jpeg))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 9, 9]) == .damaged(.jpeg))
    #expect(fault(Images.svg("width=\"100%\"")) == .sizeless(.svg))
    #expect(fault(Images.svg("width=\"nan\" height=\"inf\"")) == .sizeless(.svg))
    #expect(fault(Array("<svg width".utf8)) == .damaged(.svg))
  }

  @Test("never traps, whatever the bytes are: cut short, changed or random")
  func fuzz() {
    let seeds =
      [
        Images.png(9, 9), Images.jpeg(9, 9, orientation: 6), Images.webpLossy(9, 9),
        Images.webpLossless(9, 9), Images.webpExtended(9, 9),
        Images.svg("width=\"9\" viewBox=\"0 0 9 9\""),
      ]
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      var bytes = seeds[Int(seed) % seeds.count]
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if let size = try? ImageHeader(bytes).size {
        #expect(size.width > 0 && size.height > 0, "seed \(seed)")
        #expect(size.width.isFinite && size.height.isFinite, "seed \(seed)")
      }
      _ = SpineColours(svg: bytes)
    }
  }
}
