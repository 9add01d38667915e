/// The hash FNV-1a (RFC 9923), which is the same in every process, unlike that of `Hasher`.
///
/// It spreads names and notices changes. It does not resist an attacker.
package enum FNV1a {
  /// Returns the hash of 64 bits.
  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the hash of 32 bits.
  package static func hash32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
