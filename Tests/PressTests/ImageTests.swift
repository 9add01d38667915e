import PressProtocol
import TestDocuments
import Testing

@Suite struct `A press for images` {
  private static let vectors: [(ImageFormat, [UInt8])] = [
    (.jpeg, Vectors.jpeg), (.webp, Vectors.webp), (.tiff, Vectors.tiff), (.gif, Vectors.gif),
    (.heif, Vectors.heic), (.avif, Vectors.avif), (.png, Images.png(width: 48, height: 32)),
    (.svg, Images.svg(width: 48, height: 32)),
  ]

  @Test("reads headers and draws", arguments: vectors)
  func formats(_ format: ImageFormat, _ bytes: [UInt8]) throws {
    let press = try PressProcess()
    let facts = try press.ask(.image(bytes: bytes, height: 0, effort: .onDemand))
    #expect(facts == .imageFacts(ImageFacts(format: format, width: 48, height: 32)))
    let small = try press.draw(bytes, 16)
    #expect((small.width, small.height) == (24, 16))
    // Nothing is enlarged but drawings.
    #expect(try press.draw(bytes, 64).height == (format == .svg ? 64 : 32))
  }

  @Test("opens as documents of one page", arguments: vectors)
  func documents(_ format: ImageFormat, _ bytes: [UInt8]) throws {
    let press = try PressProcess(bytes)
    let facts = try press.open()
    #expect(facts.format == .image)
    #expect(facts.pages == [PageFacts(width: 48, height: 32)])
    #expect(try press.render(0, 16).height == 16)
    #expect(try press.content(0) == PageContent())
    #expect(try press.outline() == [])
  }

  @Test func `turns an image as its camera says`() throws {
    let press = try PressProcess()
    let facts = try press.ask(.image(bytes: Vectors.turnedJPEG, height: 0, effort: .onDemand))
    #expect(facts == .imageFacts(ImageFacts(format: .jpeg, width: 32, height: 48)))
    let picture = try press.draw(Vectors.turnedJPEG, 48)
    #expect((picture.width, picture.height) == (32, 48))
    #expect(picture.bytes != Vectors.turnedJPEG)
  }

  @Test func `turns the colours of print into those of screens`() throws {
    let picture = try PressProcess().draw(Vectors.inkJPEG, 32)
    #expect(picture.height == 32)
    #expect(picture.bytes != Vectors.inkJPEG)
  }

  @Test func `hands on a file that fits as it is`() throws {
    let picture = try PressProcess().draw(Vectors.webp, 32)
    #expect(picture.bytes == Vectors.webp)
    #expect(picture.mediaType == .webp)
  }

  @Test func `encodes few colours without loss and noise as JPEG`() throws {
    let press = try PressProcess()
    let plain = try press.draw(Images.png(width: 200, height: 200), 200)
    #expect((plain.kind, plain.mediaType) == (.text, .webp))
    let noise = try press.draw(Images.noisePNG(width: 200, height: 200), 200)
    #expect((noise.kind, noise.mediaType) == (.picture, .jpeg))
  }

  @Test func `looks at the header before the pixels`() throws {
    let press = try PressProcess()
    #expect(
      throws: PressFault.imageTooLarge(
        name: "",
        width: 60_000,
        height: 60_000,
        limit: 200_000_000
      )
    ) { try press.draw(Images.hugePNG, 300) }
    #expect(try press.draw(Vectors.jpeg, 16).height == 16)
  }

  @Test func `says when an image is damaged or none`() throws {
    let press = try PressProcess()
    for bytes in [[], Array("no image".utf8), Array(Vectors.png.prefix(20)), [0xFF, 0xD8, 0xFF]] {
      #expect(throws: PressFault.imageDamaged(name: "")) { try press.draw(bytes, 300) }
    }
  }

  @Test func `shows nothing of other files in a drawing`() throws {
    let press = try PressProcess()
    let plain = try press.draw(Images.svg(), 400)
    let greedy =
      "<image width=\"300\" height=\"400\" xlink:href=\"file:///usr/share/fonts/x.png\"/>"
    #expect(try press.draw(Images.svg(inside: greedy), 400).bytes == plain.bytes)
  }
}

extension Vectors {
  fileprivate static var png: [UInt8] { Images.png(width: 48, height: 32) }
}
