extension ServerMessage {
  /// Adds seconds to every time of the server's clock in an encoded message, in place.
  ///
  /// A process that passes on the messages of another one brings them to its own clock in this way,
  /// without decoding them. A message that ends too early is left as it is from there on.
  /// - Parameters:
  ///   - bytes: The bytes that contain the message.
  ///   - message: The range of the message.
  ///   - seconds: The time of the receiving clock minus that of the sending clock.
  /// - Complexity: O(frames) for a batch, otherwise constant.
  package static func shiftTimes(
    in bytes: inout [UInt8],
    _ message: Range<Int>,
    by seconds: Double
  ) {
    guard seconds != 0, let first = bytes[message].first else { return }
    let shift = TimeShift(end: message.upperBound, seconds: seconds)
    let start = message.lowerBound
    switch ServerKind(rawValue: first) {
    case .welcome:
      guard let length = shift.number(in: bytes, start + 2) else { return }
      shift.apply(to: &bytes, start + 4 + length + 4)
    case .snapshot, .delta: shift.apply(to: &bytes, start + 5)
    case .batch:
      var place = start + 2
      while let length = shift.number(in: bytes, place) {
        shift.apply(to: &bytes, place + 6)
        place += 2 + length
      }
    case .cameras:
      for place in stride(from: start + 2, to: message.upperBound, by: 72) {
        shift.apply(to: &bytes, place)
      }
    case .pointer: shift.apply(to: &bytes, start + 7)
    case .clock: shift.apply(to: &bytes, start + 9)
    case .playback: shift.apply(to: &bytes, start + 2)
    case .elements, .retired, .camera, .framing, .error, .caption, .role, .room, .people, .place,
      .links, .sync, .goodbye, nil:
      break
    }
  }
}

/// Reads and changes numbers in an array, up to an end.
private struct TimeShift {
  let end: Int
  let seconds: Double

  /// Reads two bytes; nil beyond the end.
  func number(in bytes: [UInt8], _ place: Int) -> Int? {
    guard place + 2 <= end else { return nil }
    return Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  /// Changes the time at an offset, unless it is beyond the end.
  func apply(to bytes: inout [UInt8], _ place: Int) {
    guard place + 8 <= end else { return }
    var bits: UInt64 = 0
    for offset in (0..<8).reversed() { bits = bits << 8 | UInt64(bytes[place + offset]) }
    let shifted = (Double(bitPattern: bits) + seconds).bitPattern
    for offset in 0..<8 {
      bytes[place + offset] = UInt8(truncatingIfNeeded: shifted >> (8 * UInt64(offset)))
    }
  }
}
