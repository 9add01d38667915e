package import Scene

/// A frame as a client sees it, at wire precision.
package struct DecodedFrame: Equatable, Sendable {
  /// The frame's number.
  package var number: UInt32
  /// The time at which the frame is shown, in seconds of the server's clock.
  package var time: Double
  /// The screen.
  package var screen: Screen
  /// Whether no finger and no motion is active and the pose is exactly at rest.
  package var isSettled: Bool
  /// The elements that are shown, by ascending number and part.
  package var shown: [ShownElement]

  /// Creates a frame from a snapshot.
  /// - Throws: ``WireError/unknownElement(id:)`` if an entry changes an element that is not shown.
  package init(snapshot update: FrameUpdate) throws(WireError) {
    self.init(update, shown: [])
    for entry in update.entries { try apply(entry) }
  }

  /// Returns the frame that results from applying a delta to this one.
  /// - Throws: ``WireError/brokenChain(last:number:)`` if the delta does not follow this frame, and
  ///   ``WireError/unknownElement(id:)`` if an entry changes an element that is not shown.
  package func followed(by update: FrameUpdate) throws(WireError) -> DecodedFrame {
    guard update.number == number &+ 1 else {
      throw .brokenChain(last: number, number: update.number)
    }
    var next = DecodedFrame(update, shown: shown)
    for entry in update.entries { try next.apply(entry) }
    return next
  }

  /// The shown element with a number; if it has parts, its first part; nil if it is not shown.
  package subscript(id: UInt64) -> ShownElement? {
    let index = index(of: id, part: .whole)
    return index < shown.count && shown[index].id == id ? shown[index] : nil
  }

  private init(_ update: FrameUpdate, shown: [ShownElement]) {
    number = update.number
    time = update.time
    screen = update.screen
    isSettled = update.isSettled
    self.shown = shown
  }

  /// Returns the first index whose number and part are not smaller.
  private func index(of id: UInt64, part: ElementPart) -> Int {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if shown[middle].comes(before: id, part) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func apply(_ entry: FrameEntry) throws(WireError) {
    let index = index(of: entry.id, part: entry.part)
    let isShown =
      index < shown.count && (shown[index].id, shown[index].part) == (entry.id, entry.part)
    if entry.isFull, let opacity = entry.opacity, let shade = entry.shade, let z = entry.z {
      let new = ShownElement(
        id: entry.id,
        part: entry.part,
        z: z,
        opacity: opacity,
        shade: shade,
        matrix: entry.matrix
      )
      if isShown { shown[index] = new } else { shown.insert(new, at: index) }
      return
    }
    guard isShown else { throw .unknownElement(id: entry.id) }
    if entry.isHidden {
      shown.remove(at: index)
      return
    }
    for k in 0..<16 where entry.matrixMask &>> UInt16(k) & 1 == 1 {
      shown[index].matrix[k] = entry.matrix[k]
    }
    if let opacity = entry.opacity { shown[index].opacity = opacity }
    if let shade = entry.shade { shown[index].shade = shade }
    if let z = entry.z { shown[index].z = z }
  }
}

extension FrameUpdate {
  /// Creates the snapshot of a frame.
  package init(snapshotOf frame: DecodedFrame) {
    self.init(frame, entries: frame.shown.map { FrameEntry(appearing: $0) })
  }

  /// Creates the delta that turns one frame into the next.
  package init(from last: DecodedFrame, to frame: DecodedFrame) {
    var entries: [FrameEntry] = []
    var (before, after) = (last.shown[...], frame.shown[...])
    while let old = before.first {
      if let new = after.first, (new.id, new.part) == (old.id, old.part) {
        if var entry = FrameEntry(from: old, to: new) {
          entry.matrix = .identity
          for k in 0..<16 where entry.matrixMask &>> UInt16(k) & 1 == 1 {
            entry.matrix[k] = new.matrix[k]
          }
          entries.append(entry)
        }
        (before, after) = (before.dropFirst(), after.dropFirst())
      } else if let new = after.first, new.comes(before: old.id, old.part) {
        entries.append(FrameEntry(appearing: new))
        after = after.dropFirst()
      } else {
        entries.append(FrameEntry(hiding: old))
        before = before.dropFirst()
      }
    }
    self.init(frame, entries: entries + after.map { FrameEntry(appearing: $0) })
  }

  private init(_ frame: DecodedFrame, entries: [FrameEntry]) {
    self.init(
      number: frame.number,
      time: frame.time,
      screen: frame.screen,
      isSettled: frame.isSettled,
      entries: entries
    )
  }
}

extension ShownElement {
  /// Returns whether it precedes another in the order of numbers and parts.
  fileprivate func comes(before id: UInt64, _ part: ElementPart) -> Bool {
    (self.id, self.part.rawValue) < (id, part.rawValue)
  }
}
