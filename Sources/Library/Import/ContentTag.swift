internal import Bytes

/// Short tags of contents, which change an address when the content changes.
enum ContentTag {
  /// Returns a tag of at most seven letters and digits.
  static func tag(_ bytes: some Sequence<UInt8>) -> String {
    String(FNV1a.hash(bytes) % 78_364_164_096, radix: 36)
  }
}
