internal import Motion
package import Scene

/// Encodes a frame as one line of JSON, for tests, tools and other renderers.
package enum FrameLine {
  /// Returns the line, without the line break.
  /// - Parameters:
  ///   - frame: The frame.
  ///   - number: The number of the frame.
  ///   - time: The time of the frame, in seconds.
  ///   - room: The room of the frame; nil to omit it.
  ///   - index: A function that returns the index of an element within its kind.
  /// - Returns: One JSON object, on one line.
  package static func text(
    of frame: Frame,
    number: Int,
    time: Double,
    room: String? = nil,
    index: (ElementKey) -> Int
  ) -> String {
    var line = "{\"t\":\(JSON.number(time)),\"frame\":\(number)"
    if let room { line += ",\"room\":\(JSON.string(room))" }
    line += ",\"screen\":\"\(frame.screen)\",\"settled\":\(frame.isSettled),\"elements\":["
    for (place, placement) in frame.placements.enumerated() {
      if place > 0 { line += "," }
      append(placement, index: index(placement.key), to: &line)
    }
    return line + "]}"
  }

  private static func append(_ placement: Placement, index: Int, to line: inout String) {
    line += "{\"kind\":\"\(placement.key.kind)\",\"index\":\(index)"
    if placement.key.part != .whole { line += ",\"part\":\(placement.key.part.rawValue)" }
    line += ",\"matrix\":["
    for entry in 0..<16 {
      if entry > 0 { line += "," }
      line += JSON.number(placement.transform[entry])
    }
    line += "],\"opacity\":\(JSON.number(placement.opacity))"
    line += ",\"shade\":\(JSON.number(placement.shade)),\"z\":\(placement.z)}"
  }
}
