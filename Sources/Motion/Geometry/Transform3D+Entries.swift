extension Transform3D {
  /// The entry at an index in reading order, 0..<16.
  public subscript(index: Int) -> Double {
    get {
      switch index {
      case 0: m11
      case 1: m12
      case 2: m13
      case 3: m14
      case 4: m21
      case 5: m22
      case 6: m23
      case 7: m24
      case 8: m31
      case 9: m32
      case 10: m33
      case 11: m34
      case 12: m41
      case 13: m42
      case 14: m43
      case 15: m44
      default: preconditionFailure("a matrix has the entries 0..<16, not \(index)")
      }
    }
    set {
      switch index {
      case 0: m11 = newValue
      case 1: m12 = newValue
      case 2: m13 = newValue
      case 3: m14 = newValue
      case 4: m21 = newValue
      case 5: m22 = newValue
      case 6: m23 = newValue
      case 7: m24 = newValue
      case 8: m31 = newValue
      case 9: m32 = newValue
      case 10: m33 = newValue
      case 11: m34 = newValue
      case 12: m41 = newValue
      case 13: m42 = newValue
      case 14: m43 = newValue
      case 15: m44 = newValue
      default: preconditionFailure("a matrix has the entries 0..<16, not \(index)")
      }
    }
  }

  /// Whether all entries are finite.
  public var isFinite: Bool {
    for index in 0..<16 where !self[index].isFinite { return false }
    return true
  }
}
