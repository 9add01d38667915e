import PressProtocol
import TestDocuments
import Testing

@Suite("A page that is one JPEG")
struct ScannedPageTests {
  private static let jpeg = Images.jpeg(width: 240, height: 320)
  private static let drawn = "q 300 0 0 400 0 0 cm /P Do Q"
  private static let invisible = "BT 3 Tr /F 12 Tf 20 20 Td (word) Tj ET"

  /// Returns a document of two pages with the same content.
  private func document(
    _ content: String = drawn,
    page: String = "",
    image: String = "/ColorSpace /DeviceGray",
    effects: String = "/ca 1",
    _ jpeg: [UInt8] = jpeg
  ) -> [UInt8] {
    PDFs.drawn(content, count: 2, page: page) { writer in
      let font = writer.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
      let photograph = writer.add(
        stream: jpeg,
        "/Type /XObject /Subtype /Image /Width 240 /Height 320 /BitsPerComponent 8 "
          + "/Filter /DCTDecode \(image)"
      )
      return "/XObject << /P \(photograph) 0 R >> /Font << /F \(font) 0 R >> "
        + "/ExtGState << /G << \(effects) >> >>"
    }
  }

  private func renditions(_ document: [UInt8], height: Int = 400) throws -> [RenditionBytes] {
    let press = try PressProcess(document)
    _ = try press.open()
    return try (0..<2).map { try press.render($0, height) }
  }

  @Test(
    "is passed on as it is, also under invisible text and in a plain state",
    arguments: [
      drawn, drawn + " " + invisible, invisible + " " + drawn, "/G gs " + drawn,
      "0 0 300 400 re W n " + drawn,
      "/A << /MCID 0 >> BDC q .5 0 0 .5 0 0 cm 600 0 0 800 0 0 cm "
        + "/P Do Q EMC",
      "% a (comment\n" + drawn, "1 0 0 rg " + drawn,
    ]
  )
  func passedOn(_ content: String) throws {
    for rendition in try renditions(document(content)) {
      #expect(rendition.bytes == Self.jpeg && rendition.mediaType == .jpeg)
      #expect(rendition.width == 240 && rendition.height == 320)
    }
  }

  @Test(
    "is drawn with whatever else the page shows",
    arguments: [
      drawn + " BT /F 12 Tf 20 20 Td (word) Tj ET", drawn + " 10 10 50 50 re f",
      "q 200 0 0 400 0 0 cm /P Do Q", "q 300 0 0 -400 0 400 cm /P Do Q", drawn + drawn,
      "100 100 50 50 re W n " + drawn, "0 0 m 300 400 l 0 400 l W n " + drawn,
      "q 0 400 -300 0 300 0 cm /P Do Q", "/OC /P BDC " + drawn + " EMC", "Q " + drawn,
      drawn + " BT 3 Tr (a \\) b) Tj 0 Tr (c) Tj ET",
    ]
  )
  func drawnWhole(_ content: String) throws {
    #expect(try renditions(document(content)).allSatisfy { $0.bytes != Self.jpeg })
  }

  @Test("is drawn if it is turned, masked, transparent or under a note")
  func changed() throws {
    let note = "/Annots [<< /Type /Annot /Subtype /Square /Rect [10 10 90 90] /C [1 0 0] >>]"
    let changed = [
      document(page: "/Rotate 90"), document(page: "/CropBox [0 0 150 400]"), document(page: note),
      document(image: "/ColorSpace /DeviceGray /Decode [1 0]"),
      document(image: "/ColorSpace /DeviceGray /Mask [0 9]"),
      document(image: "/ColorSpace [/Indexed /DeviceRGB 1 <000000FFFFFF>]"),
      document("/G gs " + Self.drawn, effects: "/ca .5"),
      document("/G gs " + Self.drawn, effects: "/BM /Multiply"),
    ]
    for document in changed {
      #expect(try renditions(document).allSatisfy { $0.bytes != Self.jpeg })
    }
    #expect(try renditions(document(page: "/Annots []"))[0].bytes == Self.jpeg)
  }

  @Test("loses the Exif data that could turn it, and is made again if it is larger than needed")
  func sizes() throws {
    let exif: [UInt8] = [0xFF, 0xE1, 0, 8] + Array("Exif\0\0".utf8)
    let tagged = Images.jpeg(width: 240, height: 320, segments: exif)
    #expect(try renditions(document(Self.drawn, tagged)).allSatisfy { $0.bytes == Self.jpeg })
    for rendition in try renditions(document(), height: 80) {
      #expect(rendition.bytes != Self.jpeg && rendition.width == 60 && rendition.height == 80)
    }
  }

  @Test("is drawn as far as it goes if it is damaged")
  func damaged() throws {
    for count in stride(from: 0, to: Self.jpeg.count, by: 97) {
      let cut = Array(Self.jpeg.prefix(count))
      for rendition in try renditions(document(Self.drawn, cut), height: 64) {
        #expect(rendition.height == 64)
      }
    }
  }
}
