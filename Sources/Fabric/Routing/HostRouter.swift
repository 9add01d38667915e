/// Knows behind which gateway each member of a host is, and addresses the host's messages.
///
/// The gateway on the host's own thread, its *home*, gets all messages and keeps the picture of
/// every stream; members behind it cost the router nothing. Every other gateway gets a parcel with
/// the messages for its members and the streams that they watch, each stream once for all of them.
/// When a gateway begins to watch a stream, its parcel introduces the stream by the home's picture.
///
/// A parcel takes time proportional to its size, and the router a constant time for each message
/// and gateway.
package struct HostRouter<Address: Hashable & Sendable>: Sendable {
  /// The members behind other gateways.
  private var gateways: [MemberID: Address] = [:]
  /// The stream that each of these members watches.
  private var watched: [MemberID: StreamID] = [:]
  /// How many members behind each other gateway watch a stream.
  private var watchers: [StreamID: [Address: Int]] = [:]
  /// The streams that gateways have begun to watch in the current list.
  private var fresh: [Address: Set<StreamID>] = [:]
  /// The members that are attached to streams that their gateways do not know yet.
  private var arriving: [Address: [MemberID]] = [:]
  private var parcels: [Address: HostMessages] = [:]

  /// Creates a router without members.
  package init() {}

  /// Whether all members are behind the home gateway.
  package var isHomeOnly: Bool { gateways.isEmpty }

  /// Whether all members are behind the home gateway and nothing is left to be sent to others.
  package var isIdle: Bool { gateways.isEmpty && parcels.isEmpty }

  /// Returns the gateway of a member, unless it is the home.
  package func gateway(of member: MemberID) -> Address? { gateways[member] }

  /// The number of other gateways whose members watch a stream.
  package func gatewayCount(of stream: StreamID) -> Int { watchers[stream]?.count ?? 0 }

  // MARK: Messages to the host

  /// Returns whether a message is the host's to handle, and notes where its sender is.
  ///
  /// A message of a member that has since continued over another gateway is outdated.
  /// - Parameters:
  ///   - message: The message.
  ///   - address: The gateway that sent it; nil for the home.
  /// - Returns: Whether the host is to handle it.
  package mutating func accepts(_ message: GatewayMessage, from address: Address?) -> Bool {
    let member = message.member
    if case .hello = message {
      gateways[member] = address
      return true
    }
    guard gateways[member] == address else { return false }
    if case .left = message, address != nil { forget(member) }
    return true
  }

  /// Returns the members behind a gateway that is gone, and forgets them.
  package mutating func remove(_ address: Address) -> [MemberID] {
    let members = gateways.filter { $0.value == address }.map(\.key)
    for member in members { forget(member) }
    return members.sorted { $0.rawValue < $1.rawValue }
  }

  private mutating func forget(_ member: MemberID) {
    let stream = unwatch(member)
    if let address = gateways.removeValue(forKey: member) {
      endIfUnwatched(stream, at: address)
    }
  }

  // MARK: Messages from the host

  /// Addresses a list of messages to the gateways other than the home, which has executed them.
  /// - Parameters:
  ///   - messages: The messages.
  ///   - introduce: Appends messages that introduce a stream as it is after the list.
  /// - Returns: A parcel for each gateway that gets something.
  package mutating func route(
    _ messages: HostMessages,
    introduce: (StreamID, inout HostMessages) -> Void
  ) -> [Address: HostMessages] {
    guard !isIdle else { return [:] }
    for message in messages.list { route(message, bytes: messages.bytes) }
    for (address, streams) in fresh {
      for stream in streams where watchers[stream]?[address] != nil {
        introduce(stream, &parcels[address, default: HostMessages(reserving: 0)])
      }
    }
    for (address, members) in arriving {
      for member in members {
        guard gateways[member] == address, let stream = watched[member] else { continue }
        append(.attach(member, to: stream), for: address)
      }
    }
    defer { (fresh, arriving, parcels) = ([:], [:], [:]) }
    return parcels
  }

  private mutating func route(_ message: HostMessage, bytes: [UInt8]) {
    switch message {
    case .publish(let range, let publication, let stream):
      for address in watchers[stream]?.keys ?? [:].keys where !isFresh(stream, address) {
        parcels[address, default: HostMessages(reserving: range.count)]
          .publish(publication, on: stream) { $0 += bytes[range] }
      }
    case .send(let range, let member):
      guard let address = gateways[member] else { return }
      parcels[address, default: HostMessages(reserving: range.count)]
        .send(to: member) { $0 += bytes[range] }
    case .setDelay(_, let stream):
      for address in watchers[stream]?.keys ?? [:].keys where !isFresh(stream, address) {
        append(message, for: address)
      }
    case .attach(let member, let stream): attach(member, to: stream, message)
    case .fork(let new, let old, let member): fork(new, from: old, for: member, message)
    case .detach(let member):
      guard let address = gateways[member] else { return }
      append(message, for: address)
      endIfUnwatched(unwatch(member), at: address)
    case .end(let stream): end(stream, message)
    case .setInterval(_, let member), .setReducesMotion(_, let member),
      .welcomed(let member, _), .close(let member, _, _):
      if let address = gateways[member] { append(message, for: address) }
    case .adopt(let newer, let member): adopt(newer, as: member, message)
    }
  }

  private mutating func append(_ message: HostMessage, for address: Address) {
    parcels[address, default: HostMessages(reserving: 0)].append(message)
  }

  private func isFresh(_ stream: StreamID, _ address: Address) -> Bool {
    fresh[address]?.contains(stream) ?? false
  }

  private mutating func attach(
    _ member: MemberID,
    to stream: StreamID,
    _ message: HostMessage
  ) {
    guard let address = gateways[member] else { return }
    let old = unwatch(member)
    if watch(stream, member, at: address) { fresh[address, default: []].insert(stream) }
    if isFresh(stream, address) {
      arriving[address, default: []].append(member)
    } else {
      append(message, for: address)
    }
    endIfUnwatched(old, at: address)
  }

  private mutating func fork(
    _ new: StreamID,
    from old: StreamID,
    for member: MemberID,
    _ message: HostMessage
  ) {
    guard let address = gateways[member], watched[member] == old else { return }
    // A gateway that does not know the old stream yet is introduced to the new one.
    let isFresh = isFresh(old, address)
    _ = unwatch(member)
    _ = watch(new, member, at: address)
    if isFresh {
      fresh[address, default: []].insert(new)
    } else {
      append(message, for: address)
    }
    endIfUnwatched(old, at: address)
  }

  private mutating func end(_ stream: StreamID, _ message: HostMessage) {
    guard let addresses = watchers.removeValue(forKey: stream)?.keys else { return }
    for address in addresses {
      fresh[address]?.remove(stream)
      append(message, for: address)
    }
    for (member, other) in watched where other == stream { watched[member] = nil }
  }

  private mutating func adopt(_ newer: MemberID, as member: MemberID, _ message: HostMessage) {
    let (old, new) = (gateways[member], gateways.removeValue(forKey: newer))
    if let old { append(message, for: old) }
    if let new, new != old { append(message, for: new) }
    let stream = unwatch(member)
    if let old { endIfUnwatched(stream, at: old) }
    gateways[member] = new
  }

  // MARK: Watching

  /// Counts a member among the watchers of a stream.
  /// - Returns: Whether it is the first one behind its gateway.
  private mutating func watch(
    _ stream: StreamID,
    _ member: MemberID,
    at address: Address
  ) -> Bool {
    watched[member] = stream
    let count = watchers[stream, default: [:]][address, default: 0]
    watchers[stream, default: [:]][address] = count + 1
    return count == 0
  }

  /// Removes a member from the watchers of its stream.
  /// - Returns: The stream.
  private mutating func unwatch(_ member: MemberID) -> StreamID? {
    guard let stream = watched.removeValue(forKey: member), let address = gateways[member],
      let count = watchers[stream]?[address]
    else { return nil }
    watchers[stream]?[address] = count > 1 ? count - 1 : nil
    if watchers[stream]?.isEmpty == true { watchers[stream] = nil }
    return stream
  }

  /// Lets a gateway forget a stream that none of its members watches any more.
  private mutating func endIfUnwatched(_ stream: StreamID?, at address: Address) {
    guard let stream, watchers[stream]?[address] == nil else { return }
    if fresh[address]?.remove(stream) == nil { append(.end(stream), for: address) }
  }
}
