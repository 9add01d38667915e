/// Short tags of contents, which change an address when the content changes.
enum ContentTag {
  /// Returns the 64-bit FNV-1a hash (RFC 9923), which is stable between runs, unlike `Hasher`.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return value
  }

  /// Returns a tag of at most seven letters and digits.
  static func tag(_ bytes: some Sequence<UInt8>) -> String {
    String(hash(bytes) % 78_364_164_096, radix: 36)
  }
}
