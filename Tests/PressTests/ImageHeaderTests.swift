import Press
import PressProtocol
import TestDocuments
import TestVectors
import Testing

@Suite("Image header")
struct ImageHeaderTests {
  @Test("returns format and size of every kind of raster image")
  func rasters() throws {
    let known: [([UInt8], ImageFormat)] = [
      (ImageHeads.png(640, 480), .png), (ImageHeads.jpeg(640, 480), .jpeg),
      (ImageHeads.webpLossy(640, 480), .webp), (ImageHeads.webpLossless(640, 480), .webp),
      (ImageHeads.webpExtended(640, 480), .webp),
    ]
    for (bytes, format) in known {
      let header = try ImageHeaders.read(bytes)
      #expect(header.format == format)
      #expect(header.width == 640 && header.height == 480)
    }
  }

  @Test("rotates a JPEG as its Exif block says, like browsers", arguments: 1...8)
  func orientation(_ value: Int) throws {
    let header = try ImageHeaders.read(ImageHeads.jpeg(640, 480, orientation: value))
    #expect([header.width, header.height] == (value >= 5 ? [480, 640] : [640, 480]))
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
    let header = try ImageHeaders.read(ImageHeads.svg(attributes))
    #expect(header.width == width && header.height == height)
  }

  @Test("says what is wrong with a file that cannot be shown")
  func faults() {
    func fault(_ bytes: [UInt8]) -> ImageFault? {
      do {
        _ = try ImageHeaders.read(bytes)
        return nil
      } catch { return error }
    }
    #expect(fault([]) == .empty)
    #expect(fault(Array("hello".utf8)) == .unknownFormat)
    #expect(fault(Array("<html width='1' height='1'>".utf8)) == .unknownFormat)
    #expect(fault(Array(ImageHeads.png(4, 4).prefix(20))) == .truncated(.png))
    #expect(fault(ImageHeads.webpExtended(9, 9, flags: 0x28)) == .turned(.webp))
    #expect(fault(Images.turnedPNG(width: 9, height: 9, orientation: 1)) == .turned(.png))
    #expect(fault(ImageHeads.png(0, 4)) == .sizeless(.png))
    #expect(fault(ImageHeads.png(4000, 4)) == .sizeless(.png))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xDA, 0, 4]) == .damaged(.jpeg))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 9, 9]) == .damaged(.jpeg))
    #expect(fault(ImageHeads.svg("width=\"100%\"")) == .sizeless(.svg))
    #expect(fault(ImageHeads.svg("width=\"nan\" height=\"inf\"")) == .sizeless(.svg))
    #expect(fault(Array("<svg width".utf8)) == .damaged(.svg))
  }

  @Test("never traps on truncated, changed or random bytes")
  func fuzz() {
    let seeds =
      [
        ImageHeads.png(9, 9), ImageHeads.jpeg(9, 9, orientation: 6), ImageHeads.webpLossy(9, 9),
        ImageHeads.webpLossless(9, 9), ImageHeads.webpExtended(9, 9),
        ImageHeads.svg("width=\"9\" viewBox=\"0 0 9 9\""),
      ]
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      var bytes = seeds[Int(seed) % seeds.count]
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if let header = try? ImageHeaders.read(bytes) {
        #expect(header.width > 0 && header.height > 0, "seed \(seed)")
        #expect(header.width.isFinite && header.height.isFinite, "seed \(seed)")
      }
      #expect(SVGColours.fills(bytes).allSatisfy { $0 <= 0xFF_FFFF }, "seed \(seed)")
    }
  }

  @Test("reads the colours of a drawing in painting order")
  func colours() {
    let drawing =
      "<svg><rect fill=\"#0f2238\"/><path stroke=\"#ffffff\" fill='#F3e'/>"
      + "<stop stop-color=\"#123456\"/><g style=\"fill:#00000g\"/><a fill=\"url(#a)\"/>"
    #expect(SVGColours.fills(Array(drawing.utf8)) == [0x0F2238, 0xFF33EE, 0x123456])
    #expect(SVGColours.fills(Array("#fill=\"#".utf8)).isEmpty)
    let many = String(repeating: "fill=\"#000000\"", count: PressReply.coloursMax + 1)
    #expect(SVGColours.fills(Array(many.utf8)).count == PressReply.coloursMax)
  }

  @Test("a press reads headers of several images in order, and colours, without a file")
  func process() throws {
    let press = try PressProcess()
    let heads = [ImageHeads.png(30, 40), Array("hello".utf8), ImageHeads.svg("viewBox='0 0 3 4'")]
    guard case .headers(let headers)? = try press.ask(.headers(heads)) else {
      Issue.record("no headers came")
      return
    }
    #expect(headers.count == 3)
    #expect(try headers[0].get() == ImageHeader(format: .png, width: 30, height: 40))
    #expect(headers[1] == .failure(.unknownFormat))
    #expect(try headers[2].get() == ImageHeader(format: .svg, width: 3, height: 4))
    #expect(try press.ask(.colours(heads[2])) == .colours([0x17395A]))
  }
}
