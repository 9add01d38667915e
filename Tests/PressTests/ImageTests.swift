import PressProtocol
import TestDocuments
import Testing

@Suite("A press for images")
struct ImageTests {
  private static let vectors: [(ImageFormat, [UInt8])] = [
    (.jpeg, Vectors.jpeg), (.webp, Vectors.webp), (.tiff, Vectors.tiff), (.gif, Vectors.gif),
    (.heif, Vectors.heic), (.avif, Vectors.avif), (.png, Images.png(width: 48, height: 32)),
    (.svg, Images.svg(width: 48, height: 32)), (.jpegXL, Vectors.jpegXL),
    (.jpeg2000, Vectors.jpeg2000),
  ]

  @Test("reads the header of an image and renders it", arguments: vectors)
  func formats(_ format: ImageFormat, _ bytes: [UInt8]) throws {
    let press = try PressProcess()
    let facts = try press.ask(.image(bytes: bytes, height: 0, effort: .onDemand))
    #expect(facts == .imageFacts(ImageFacts(format: format, width: 48, height: 32)))
    let small = try press.draw(bytes, 16)
    #expect((small.width, small.height) == (24, 16))
    // Only drawings are enlarged.
    #expect(try press.draw(bytes, 64).height == (format == .svg ? 64 : 32))
  }

  @Test("opens images as documents of one page", arguments: vectors)
  func documents(_ format: ImageFormat, _ bytes: [UInt8]) throws {
    let press = try PressProcess(bytes)
    let facts = try press.open()
    #expect(facts.format == .image)
    #expect(facts.pages == [PageFacts(width: 48, height: 32)])
    #expect(try press.render(0, 16).height == 16)
    #expect(try press.content(0) == PageContent())
    #expect(try press.outline() == [])
  }

  @Test("shows each page of a TIFF")
  func pages() throws {
    let press = try PressProcess(Images.tiff([(48, 32), (20, 30), (60, 10)]))
    let facts = try press.open()
    #expect(facts.pages.map(\.width) == [48, 20, 60] && facts.pages.map(\.height) == [32, 30, 10])
    for (page, size) in [(32, 48), (30, 20), (10, 60)].enumerated() {
      let picture = try press.render(page, 100)
      #expect((picture.height, picture.width) == size, "page \(page + 1)")
    }
  }

  @Test("rotates an image as its camera recorded it")
  func rotation() throws {
    let press = try PressProcess()
    let facts = try press.ask(.image(bytes: Vectors.turnedJPEG, height: 0, effort: .onDemand))
    #expect(facts == .imageFacts(ImageFacts(format: .jpeg, width: 32, height: 48)))
    let picture = try press.draw(Vectors.turnedJPEG, 48)
    #expect((picture.width, picture.height) == (32, 48))
    #expect(picture.bytes != Vectors.turnedJPEG)
  }

  @Test("turns an image upright that states it in another format than JPEG", arguments: [3, 6, 8])
  func turned(_ orientation: UInt8) throws {
    let image = Images.turnedPNG(width: 60, height: 90, orientation: orientation)
    let press = try PressProcess()
    var upright = ImageFacts(format: .png, width: 60, height: 90)
    if orientation != 3 { (upright.width, upright.height) = (90, 60) }
    upright.isTurned = true
    #expect(
      try press.ask(.image(bytes: image, height: 0, effort: .onDemand)) == .imageFacts(upright)
    )
    let picture = try press.draw(image, 90)
    #expect([picture.width, picture.height] == [upright.width, upright.height])
    let again = try press.ask(.image(bytes: picture.bytes, height: 0, effort: .onDemand))
    guard case .imageFacts(let drawn) = again else {
      Issue.record("\(again)")
      return
    }
    #expect(!drawn.isTurned && [drawn.width, drawn.height] == [upright.width, upright.height])
  }

  @Test("converts CMYK to sRGB")
  func convertsCMYK() throws {
    let picture = try PressProcess().draw(Vectors.inkJPEG, 32)
    #expect(picture.height == 32)
    #expect(picture.bytes != Vectors.inkJPEG)
  }

  @Test("returns a file that fits unchanged")
  func fittingFile() throws {
    let picture = try PressProcess().draw(Vectors.webp, 32)
    #expect(picture.bytes == Vectors.webp)
    #expect(picture.mediaType == .webp)
  }

  @Test("encodes few colours without loss and noise as JPEG")
  func encodings() throws {
    let press = try PressProcess()
    let plain = try press.draw(Images.png(width: 200, height: 200), 200)
    #expect((plain.kind, plain.mediaType) == (.text, .webp))
    let noise = try press.draw(Images.noisePNG(width: 200, height: 200), 200)
    #expect((noise.kind, noise.mediaType) == (.picture, .jpeg))
  }

  @Test("checks the header before the pixels")
  func headerFirst() throws {
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

  @Test("reports a damaged image and a file that is not an image")
  func damagedImage() throws {
    let press = try PressProcess()
    for bytes in [[], Array(Vectors.png.prefix(20)), [0xFF, 0xD8, 0xFF]] {
      #expect(throws: PressFault.imageDamaged(name: "")) { try press.draw(bytes, 300) }
    }
    #expect(throws: PressFault.unknownImage(name: "")) {
      try press.draw(Array("no image".utf8), 300)
    }
  }

  @Test("shows what there is of an image that ends early, encoded as a whole image")
  func cutImage() throws {
    let press = try PressProcess()
    let noise = Images.noisePNG(width: 200, height: 200)
    let jpeg = try press.draw(noise, 200).bytes
    #expect(ImageEnd.isWhole(.jpeg, jpeg))
    for (whole, format) in [(jpeg, ImageFormat.jpeg), (noise, .png)] {
      let half = Array(whole.prefix(whole.count / 2))
      #expect(!ImageEnd.isWhole(format, half))
      let picture = try press.draw(half, 200)
      #expect(picture.bytes != half && (picture.width, picture.height) == (200, 200))
      #expect(ImageEnd.isWhole(picture.mediaType == .jpeg ? .jpeg : .webp, picture.bytes))
      // The noise of the upper half needs about as many bytes as before.
      #expect(picture.bytes.count > jpeg.count / 4)
    }
    let scan = try #require(
      jpeg.indices.dropLast().first { jpeg[$0...].starts(with: [0xFF, 0xDA]) }
    )
    #expect(throws: PressFault.imageDamaged(name: "")) {
      try press.draw(Array(jpeg.prefix(scan + 14)), 200)
    }
  }

  @Test("returns a complete image unchanged, also with other data after it")
  func trailingData() throws {
    let press = try PressProcess()
    for bytes in [Vectors.webp, Vectors.webp + [1, 2, 3]] {
      #expect(try press.draw(bytes, 32).bytes == bytes)
    }
    let jpeg = try press.draw(Images.noisePNG(width: 90, height: 90), 90).bytes + [1, 2, 3]
    #expect(!ImageEnd.isWhole(.jpeg, jpeg))
    let picture = try press.draw(jpeg, 90)
    // Noise needs more than half a byte for each pixel, so that it may be encoded again.
    #expect(picture.bytes == jpeg || jpeg.count > 90 * 90 / 2)
  }

  @Test("shows nothing of other files in a drawing")
  func foreignFiles() throws {
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
