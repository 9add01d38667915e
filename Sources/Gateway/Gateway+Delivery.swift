package import Fabric
internal import Rates
internal import Wire

/// Execution of a room host's messages.
extension Gateway {
  /// Executes messages in order.
  /// - Returns: Whether a frame was published.
  @discardableResult
  package mutating func deliver(
    _ messages: HostMessages,
    now: Double,
    clients: some Clients
  ) -> Bool {
    var hasFrame = false
    messages.bytes.withUnsafeBytes { bytes in
      var index = 0
      while index < messages.list.count {
        switch messages.list[index] {
        case .publish(_, _, let stream):
          index = publish(messages.list, from: index, on: stream, bytes, now: now, clients: clients)
          hasFrame = true
          continue
        case .send(let range, let member):
          if let slot = slotsByMember[member] {
            if bytes[range].first == ServerKind.clock.rawValue {
              connections[slot]?.probes.noteAnswer()
            }
            send(UnsafeRawBufferPointer(rebasing: bytes[range]), to: slot, clients: clients)
          }
        case let message: carryOut(message, now: now, clients: clients)
        }
        index += 1
      }
    }
    showOwedFrames(now: now, clients: clients)
    return hasFrame
  }

  private mutating func carryOut(_ message: HostMessage, now: Double, clients: some Clients) {
    switch message {
    case .publish, .send, .welcomed: break
    case .attach(let member, let stream): attach(member, to: stream, now: now, clients: clients)
    case .detach(let member): if let slot = slotsByMember[member] { unwatch(slot) }
    case .fork(let new, let old, let member): fork(new, from: old, for: member)
    case .end(let stream): end(stream)
    case .setDelay(let seconds, let stream): streams[stream]?.replica.delay = seconds
    case .setInterval(let seconds, let member):
      guard let slot = slotsByMember[member] else { return }
      if connections[slot]?.outbox.setInterval(seconds) == true {
        showPicture(to: slot, withElements: false, now: now, clients: clients)
      }
      noteWakeTime(of: slot)
    case .setReducesMotion(let reduces, let member):
      guard let slot = slotsByMember[member],
        connections[slot]?.outbox.reducesMotion != reduces
      else { return }
      connections[slot]?.outbox.reducesMotion = reduces
      showPicture(to: slot, withElements: false, now: now, clients: clients)
    case .close(let member, let code, let reason):
      guard let slot = slotsByMember[member] else { return }
      close(slot, code: code, reason: reason, clients: clients)
    case .adopt(let newer, let member): adopt(newer, as: member, clients: clients)
    }
  }

  // MARK: Watching

  private mutating func attach(
    _ member: MemberID,
    to stream: StreamID,
    now: Double,
    clients: some Clients
  ) {
    guard let slot = slotsByMember[member], connections[slot]?.isClosing == false else { return }
    unwatch(slot)
    connections[slot]?.stream = stream
    streams[stream, default: WatchedStream()].watchers.append(slot)
    showPicture(to: slot, withElements: true, now: now, clients: clients)
    noteWakeTime(of: slot)
  }

  private mutating func fork(_ new: StreamID, from old: StreamID, for member: MemberID) {
    guard let replica = streams[old]?.replica else { return }
    streams[new] = WatchedStream(replica: replica)
    if replica.isWatchedForRest { restTimes[new] = restTimes[old] }
    guard let slot = slotsByMember[member], connections[slot]?.stream == old else { return }
    streams[old]?.watchers.removeAll { $0 == slot }
    streams[new]?.watchers.append(slot)
    connections[slot]?.stream = new
  }

  private mutating func end(_ stream: StreamID) {
    restTimes[stream] = nil
    for slot in streams.removeValue(forKey: stream)?.watchers ?? [] {
      connections[slot]?.stream = nil
      connections[slot]?.outbox.leaveStream()
      noteWakeTime(of: slot)
    }
  }

  mutating func unwatch(_ slot: Int) {
    guard let stream = connections[slot]?.stream else { return }
    connections[slot]?.stream = nil
    connections[slot]?.outbox.leaveStream()
    streams[stream]?.watchers.removeAll { $0 == slot }
    noteWakeTime(of: slot)
  }

  private mutating func adopt(_ newer: MemberID, as member: MemberID, clients: some Clients) {
    let slot = slotsByMember.removeValue(forKey: newer)
    // Without the newer connection, the member continues over another gateway.
    if let old = slotsByMember.removeValue(forKey: member) {
      close(old, .replaced, clients: clients)
      connections[old]?.member = nil
      memberChanges.append(MemberChange(member, isHere: false))
    }
    guard let slot else { return }
    connections[slot]?.member = member
    slotsByMember[member] = slot
    memberChanges.append(MemberChange(newer, isHere: false))
    memberChanges.append(MemberChange(member, isHere: true))
  }

  // MARK: Rooms

  /// The streams of a room.
  package func streams(ofRoom room: String) -> [StreamID] {
    streams.keys.filter { $0.room == room }
  }

  /// The last caption of a stream, as bytes; empty if there is none.
  package func caption(of stream: StreamID) -> [UInt8] { streams[stream]?.replica.caption ?? [] }

  // MARK: Introducing

  /// Appends messages that introduce a stream to another gateway: its elements, its caption, and
  /// the frames that members see now and next.
  package mutating func introduce(
    _ stream: StreamID,
    now: Double,
    into messages: inout HostMessages
  ) {
    guard let place = streams.index(forKey: stream) else { return }
    let delay = streams.values[place].replica.delay
    for message in streams.values[place].replica.elementsMessages() {
      messages.publish(.elements, on: stream) { $0 += message }
    }
    let picture = streams.values[place].replica.picture(at: hostTime(of: stream, at: now) - delay)
    messages.append(.setDelay(delay, of: stream))
    messages.publish(.caption, on: stream) { $0 += streams.values[place].replica.caption }
    messages.publish(.still, on: stream) { $0 += streams.values[place].replica.still }
    messages.publish(.snapshot, on: stream) { $0 += picture.snapshot }
    for message in picture.rest { messages.publish(.frames, on: stream) { $0 += message } }
  }

  // MARK: Sending

  /// Sends the messages from a given one on that are published on the same stream.
  /// - Returns: The index after them.
  private mutating func publish(
    _ list: [HostMessage],
    from start: Int,
    on stream: StreamID,
    _ bytes: UnsafeRawBufferPointer,
    now: Double,
    clients: some Clients
  ) -> Int {
    guard let place = streams.index(forKey: stream) else {
      streams[stream] = WatchedStream()
      return publish(list, from: start, on: stream, bytes, now: now, clients: clients)
    }
    if !streams.values[place].replica.isWatchedForRest {
      streams.values[place].replica.isWatchedForRest = true
      restTimes[stream] = now + StreamReplica.restAfter
    }
    fanOut.begin()
    var end = start
    while end < list.count, end - start < FanOut.runMax,
      case .publish(let range, let publication, stream) = list[end]
    {
      fanOut.append(range, publication)
      let message = UnsafeRawBufferPointer(rebasing: bytes[range])
      // In place: a subscript by key would move the whole value out and back.
      streams.values[place].replica.note(message, publication, now: now)
      end += 1
    }
    // The member that drives sees its own frame before all others.
    let first = lastSender.flatMap { connections[$0]?.stream == stream ? $0 : nil }
    if let first {
      addToFanOut(first)
      sendFanOut(bytes, clients: clients)
      fanOut.removeMembers()
    }
    for slot in streams.values[place].watchers where slot != first { addToFanOut(slot) }
    sendFanOut(bytes, clients: clients)
    return end
  }

  private mutating func addToFanOut(_ slot: Int) {
    // One access in place: others would copy the connection.
    guard let choice = connections[slot]?.choose(of: fanOut.publications) else { return }
    if choice.messages != 0 { fanOut.add(slot, choice.client, gets: choice.messages) }
    if choice.owesFrame { noteWakeTime(of: slot) }
  }

  private mutating func sendFanOut(_ bytes: UnsafeRawBufferPointer, clients: some Clients) {
    for group in fanOut.groups {
      fanOut.choose(group)
      clients.send(bytes, fanOut.chosen, to: fanOut[group].clients, refused: &fanOut.refused)
      for place in fanOut.refused {
        let slot = fanOut[group].slots[place]
        for (index, publication) in fanOut.publications.enumerated()
        where fanOut[group].messages & 1 << UInt8(index) != 0 {
          connections[slot]?.outbox.block(refusing: publication)
        }
        if let member = connections[slot]?.member { outgoing.append(.blocked(member)) }
        noteWakeTime(of: slot)
      }
    }
  }

  mutating func send(_ bytes: [UInt8], to slot: Int, clients: some Clients) {
    bytes.withUnsafeBytes { send($0, to: slot, clients: clients) }
  }

  /// Sends a message to one connection, after everything that is queued for it.
  private mutating func send(_ bytes: UnsafeRawBufferPointer, to slot: Int, clients: some Clients) {
    guard let client = connections[slot]?.client, connections[slot]?.isClosing == false,
      let wasBlocked = connections[slot]?.outbox.isBlocked
    else { return }
    if !wasBlocked, clients.send(bytes, to: client) { return }
    guard connections[slot]?.outbox.enqueue(bytes) == true else {
      return close(slot, .tooManyErrors, clients: clients)
    }
    guard !wasBlocked else { return }
    if let member = connections[slot]?.member { outgoing.append(.blocked(member)) }
    noteWakeTime(of: slot)
  }

  /// Returns a time by the clock of a stream's host; without it, the newest frame is due.
  private func hostTime(of stream: StreamID, at now: Double) -> Double {
    clockLead(stream).map { now + $0 } ?? .infinity
  }

  /// Sends a member the picture that the others see now, and the frames that they see next.
  mutating func showPicture(to slot: Int, withElements: Bool, now: Double, clients: some Clients) {
    guard let stream = connections[slot]?.stream, let outbox = connections[slot]?.outbox,
      let place = streams.index(forKey: stream)
    else { return }
    let caption = streams.values[place].replica.caption
    if !caption.isEmpty { send(caption, to: slot, clients: clients) }
    if withElements {
      for message in streams.values[place].replica.elementsMessages() {
        send(message, to: slot, clients: clients)
      }
    }
    let still = streams.values[place].replica.still
    if outbox.reducesMotion, !still.isEmpty { return send(still, to: slot, clients: clients) }
    let seen = hostTime(of: stream, at: now) - streams.values[place].replica.delay
    let picture = streams.values[place].replica.picture(at: seen)
    guard !picture.snapshot.isEmpty else { return }
    send(picture.snapshot, to: slot, clients: clients)
    if outbox.interval > 0 {
      connections[slot]?.outbox.noteShown(isLast: picture.rest.isEmpty, now: now)
    } else {
      for message in picture.rest { send(message, to: slot, clients: clients) }
    }
  }

  /// Sends the current frame to members that get few frames, wherever one is due.
  mutating func showOwedFrames(now: Double, clients: some Clients) {
    var pictures: [StreamID: StreamReplica.Picture] = [:]
    for slot in dueSlots(at: now) {
      defer { noteWakeTime(of: slot) }
      guard let connection = connections[slot], connection.outbox.isDue(at: now),
        let stream = connection.stream, let member = connection.member
      else { continue }
      let time = hostTime(of: stream, at: now)
      let picture = pictures[stream] ?? streams[stream]?.replica.picture(at: time) ?? .init()
      pictures[stream] = picture
      guard !picture.snapshot.isEmpty else { continue }
      connections[slot]?.outbox.noteShown(isLast: picture.rest.isEmpty, now: now)
      let isTaken = picture.snapshot.withUnsafeBytes { clients.send($0, to: connection.client) }
      guard !isTaken else { continue }
      connections[slot]?.outbox.block(refusing: .frames)
      outgoing.append(.blocked(member))
    }
  }
}
