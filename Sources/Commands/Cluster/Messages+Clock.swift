internal import Fabric
internal import Wire

extension GatewayMessage {
  /// The message with its times by a clock that is ahead by a number of seconds.
  func shifted(by seconds: Double) -> GatewayMessage {
    guard seconds != 0, case .packet(let member, var packet) = self,
      case .pointers(var pointers) = packet.message, pointers.target != 0
    else { return self }
    pointers.target += seconds
    packet.message = .pointers(pointers)
    return .packet(member, packet)
  }
}

extension HostMessages {
  /// Brings all times to a clock that is ahead by a number of seconds.
  mutating func shiftTimes(by seconds: Double) {
    for message in list {
      switch message {
      case .publish(let range, _, _), .send(let range, _):
        ServerMessage.shiftTimes(in: &bytes, range, by: seconds)
      default: break
      }
    }
  }

  /// Decodes the welcome in a range; nil if there is none.
  func welcome(in range: Range<Int>) -> Welcome? {
    let message = try? bytes[range].withUnsafeBytes { try ServerMessage(decoding: $0) }
    guard case .welcome(let welcome) = message else { return nil }
    return welcome
  }
}
