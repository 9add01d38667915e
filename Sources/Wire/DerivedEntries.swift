internal import Motion

/// The matrix entries that a message omits, because the receiver derives them from others.
///
/// Nearly all matrices of a book are turns about the y axis under the perspective: then m31 = -m13,
/// m33 = m11, and column 4 is column 3 times ``Perspective/m34``. An entry is omitted only if the
/// derived value has the same bits as the one that would be sent.
struct DerivedEntries {
  /// The entries to send, one bit each.
  var mask: UInt16
  /// The flags of the rules by which the receiver derives other entries.
  var flags: UInt8 = 0

  /// Decides which of the changed entries to send.
  /// - Parameters:
  ///   - changed: The entries that the receiver must update.
  ///   - matrix: The new matrix.
  ///   - known: The entries that are correct in the new matrix, among them those that changed. The
  ///     receiver may derive any of them, even if it did not change.
  init(sending changed: UInt16, of matrix: WireMatrix, known: UInt16 = .max) {
    mask = changed
    var result = changed
    // An entry follows from one that changed even if it did not change itself.
    var derived: UInt16 = 0
    var holds = true
    if changed & MatrixMask.m13 != 0 {
      derived |= MatrixMask.m31
      holds = matrix[8] == -matrix[2]
    }
    if changed & MatrixMask.m11 != 0 {
      derived |= MatrixMask.m33
      holds = holds && matrix[10] == matrix[0]
    }
    if holds, derived & changed != 0, derived & ~known == 0 {
      mask &= ~derived
      result |= derived
      flags |= EntryFlags.turn
    }
    derived = 0
    holds = true
    for row in 0..<4 where result & MatrixMask.depth(ofRow: row) != 0 {
      let entry = MatrixMask.perspective(ofRow: row)
      if known & entry != 0, matrix[4 * row + 3] == matrix.perspective(ofRow: row) {
        derived |= entry
      } else if mask & entry == 0 {
        holds = false
      }
    }
    if holds, derived & mask != 0 {
      mask &= ~derived
      flags |= EntryFlags.perspective
    }
  }

  /// Derives the entries of a received matrix.
  /// - Parameters:
  ///   - flags: The flags of the entry.
  ///   - mask: The entries that were received; on return, those that were derived as well.
  ///   - matrix: The matrix with the received entries.
  static func derive(_ flags: UInt8, _ mask: inout UInt16, in matrix: inout WireMatrix) {
    if flags & EntryFlags.turn != 0 {
      if mask & MatrixMask.m13 != 0, mask & MatrixMask.m31 == 0 {
        // Unlike a negation, a difference never gives a negative zero.
        matrix[8] = 0 - matrix[2]
        mask |= MatrixMask.m31
      }
      if mask & MatrixMask.m11 != 0, mask & MatrixMask.m33 == 0 {
        matrix[10] = matrix[0]
        mask |= MatrixMask.m33
      }
    }
    guard flags & EntryFlags.perspective != 0 else { return }
    for row in 0..<4 where mask & MatrixMask.depth(ofRow: row) != 0 {
      let entry = MatrixMask.perspective(ofRow: row)
      guard mask & entry == 0 else { continue }
      matrix[4 * row + 3] = matrix.perspective(ofRow: row)
      mask |= entry
    }
  }
}

/// The bits of matrix entries, and their order on the wire.
enum MatrixMask {
  static let m11: UInt16 = 1
  static let m13: UInt16 = 1 << 2
  static let m31: UInt16 = 1 << 8
  static let m33: UInt16 = 1 << 10

  /// The bit of a row's entry in column 3.
  static func depth(ofRow row: Int) -> UInt16 { 1 &<< UInt16(4 * row + 2) }

  /// The bit of a row's entry in column 4.
  static func perspective(ofRow row: Int) -> UInt16 { 1 &<< UInt16(4 * row + 3) }

  /// The entries in the order of their bits on the wire, four bits each, the first in the lowest.
  ///
  /// Entries that change often come first: m11 m13 m41 m43 m22 m31 m33, then m21 m23 m12 m42 m14
  /// m24 m34, then m32 m44. The mask, a number with seven bits in each byte, is thus usually one
  /// byte.
  private static let order: UInt64 = 0xf9b7_3d16_4a85_ec20

  /// Returns the entry at a place in the order of the wire, 0..<16.
  static func entry(at place: Int) -> Int {
    Int(truncatingIfNeeded: order &>> UInt64(4 * place) & 15)
  }

  /// Returns the mask of entries, given their mask in the order of the wire.
  static func entries(_ wire: UInt16) -> UInt16 {
    var mask: UInt16 = 0
    for place in 0..<16 { mask |= (wire &>> UInt16(place) & 1) &<< UInt16(entry(at: place)) }
    return mask
  }

  /// Returns the mask of entries in the order of the wire.
  static func wire(_ mask: UInt16) -> UInt16 {
    var wire: UInt16 = 0
    for place in 0..<16 { wire |= (mask &>> UInt16(entry(at: place)) & 1) &<< UInt16(place) }
    return wire
  }
}

extension WireMatrix {
  /// Returns the entry of a row in column 4 that the perspective gives for its entry in column 3:
  /// computed as Float64, then rounded.
  func perspective(ofRow row: Int) -> Float {
    Self.perspective(of: self[4 * row + 2], plus: row == 3 ? 1 : 0)
  }

  static func perspective(of depth: Float, plus unit: Double) -> Float {
    // The last sum turns -0 into 0.
    Float(unit + Double(depth) * Perspective.m34) + 0
  }
}
