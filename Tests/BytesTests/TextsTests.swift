import Bytes
import Testing

@Suite("Bytes as text")
struct TextsTests {
  @Test("hexadecimal digits stand for the same bytes, and other texts for none")
  func hexadecimal() {
    let bytes: [UInt8] = [0, 9, 0x10, 0xab, 0xff]
    #expect(Hexadecimal.text(bytes) == "000910abff")
    #expect(Hexadecimal.bytes("000910abff") == bytes && Hexadecimal.bytes("") == [])
    for text in ["0", "0g", "AB", "+1", " 1", "0x", "é0"] {
      #expect(Hexadecimal.bytes(text) == nil)
    }
    #expect(Hexadecimal.text(of: UInt32(0xabc)) == "00000abc")
    let digest = String(repeating: "0f", count: 32)
    #expect(Hexadecimal.digest(digest)?.count == 32)
    #expect(Hexadecimal.digest(digest + "00") == nil && Hexadecimal.digest("00") == nil)
  }

  @Test("escapes of either case stand for a byte, and incomplete ones are rejected")
  func escapes() {
    #expect(Hexadecimal.unescaped("a%2f%C3%a9") == Array("a/é".utf8))
    #expect(Hexadecimal.unescaped("a=2Fb%", mark: "=") == Array("a/b%".utf8))
    for text in ["%", "a%2", "%+1", "%g0", "% 1"] { #expect(Hexadecimal.unescaped(text) == nil) }
  }

  @Test("the hash is that of the published vectors")
  func hash() {
    #expect(FNV1a.hash([]) == 0xcbf2_9ce4_8422_2325 && FNV1a.hash32([]) == 0x811c_9dc5)
    #expect(FNV1a.hash("foobar".utf8) == 0x8594_4171_f739_67e8)
    #expect(FNV1a.hash32("foobar".utf8) == 0xbf9c_f968)
  }
}
