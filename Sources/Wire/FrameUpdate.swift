package import Scene

/// The body of a snapshot or a delta.
package struct FrameUpdate: Equatable, Sendable {
  /// The frame's number; that of a delta is one more than that of the previous frame.
  package var number: UInt32
  /// The time at which the frame is to be shown, in seconds of the server's clock.
  package var time: Double
  /// The screen.
  package var screen: Screen
  /// Whether no finger and no motion is active and the pose is exactly at rest.
  package var isSettled: Bool
  /// The changes; in a snapshot, all elements that are shown.
  package var entries: [FrameEntry]

  /// Creates an update.
  package init(
    number: UInt32,
    time: Double,
    screen: Screen,
    isSettled: Bool,
    entries: [FrameEntry]
  ) {
    self.number = number
    self.time = time
    self.screen = screen
    self.isSettled = isSettled
    self.entries = entries
  }
}

/// The change of one element in a frame.
package struct FrameEntry: Equatable, Sendable {
  /// The element's number.
  package var id: UInt64
  /// The part of the element.
  package var part = ElementPart.whole
  /// The matrix entries that are present, one bit each; bit 0 is m11, bit 15 is m44.
  package var matrixMask: UInt16 = 0
  /// Whether the element appears: matrix entries outside the mask are those of the identity.
  package var isFull = false
  /// Whether the element is hidden from now on.
  package var isHidden = false
  /// The present entries; the others are those of the identity.
  package var matrix = WireMatrix.identity
  /// The opacity in units of 1/65,535, if it changes.
  package var opacity: UInt16?
  /// The strength of the moving shadow in units of 1/65,535, if it changes.
  package var shade: UInt16?
  /// The paint order, if it changes.
  package var z: Int16?

  /// Creates an entry without changes.
  package init(id: UInt64) { self.id = id }

  /// Creates the entry of an element that appears.
  package init(appearing shown: ShownElement) {
    id = shown.id
    part = shown.part
    isFull = true
    matrix = shown.matrix
    matrixMask = shown.matrix.mask(differingFrom: .identity)
    opacity = shown.opacity
    shade = shown.shade
    z = shown.z
  }

  /// Creates the entry of an element that is hidden from now on.
  init(hiding old: ShownElement) { (id, part, isHidden) = (old.id, old.part, true) }

  /// Creates an entry with the differences between two states of an element, and the whole new
  /// matrix; nil if there are none.
  init?(from old: ShownElement, to new: ShownElement) {
    (id, part, matrix) = (new.id, new.part, new.matrix)
    matrixMask = new.matrix.mask(differingFrom: old.matrix)
    if new.opacity != old.opacity { opacity = new.opacity }
    if new.shade != old.shade { shade = new.shade }
    if new.z != old.z { z = new.z }
    guard matrixMask != 0 || opacity != nil || shade != nil || z != nil else { return nil }
  }
}

/// One element of a frame at wire precision.
package struct ShownElement: Equatable, Sendable {
  /// The element's number.
  package var id: UInt64
  /// The part of the element.
  package var part: ElementPart
  /// The paint order; higher is in front.
  package var z: Int16
  /// The opacity in units of 1/65,535.
  package var opacity: UInt16
  /// The strength of the moving shadow in units of 1/65,535.
  package var shade: UInt16
  /// The matrix about the element's transform-origin.
  package var matrix: WireMatrix
}

extension ShownElement {
  /// Rounds a placement to wire precision.
  package init(_ placement: Placement) {
    self.init(
      id: placement.key.number,
      part: placement.key.part,
      z: Int16(clamping: placement.z),
      opacity: Self.fraction(placement.opacity),
      shade: Self.fraction(placement.shade),
      matrix: WireMatrix(placement.transform)
    )
  }

  private static func fraction(_ value: Double) -> UInt16 {
    // This form turns a value that is not a number into 0.
    value > 0 ? UInt16(min(value, 1) * 65_535 + 0.5) : 0
  }
}

extension WireMatrix {
  /// Returns the entries in which two matrices differ, one bit each.
  func mask(differingFrom other: WireMatrix) -> UInt16 {
    var mask: UInt16 = 0
    for k in 0..<16 where self[k] != other[k] { mask |= 1 &<< UInt16(k) }
    return mask
  }
}
