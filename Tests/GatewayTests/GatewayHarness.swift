import Fabric
import Motion
import Scene
import TestVectors
import Wire

@testable import Gateway

/// A stream as a host publishes it: leaves that turn, a few at a time.
struct PublishedStream {
  let id = StreamID(room: "R")
  var encoder = FrameEncoder()
  var messages = HostMessages()
  private(set) var number: UInt32 = 0

  /// Returns a frame of some leaves at an angle.
  func frame(_ leaves: [Int], angle: Double) -> Frame {
    let placements = leaves.map { leaf in
      Placement(
        key: key(leaf),
        transform: Transform3D.rotationY(angle + Double(leaf) / 10),
        opacity: 1,
        shade: 0.5,
        z: leaf
      )
    }
    return Frame(screen: .book, isSettled: false, placements: placements)
  }

  func key(_ leaf: Int) -> ElementKey {
    ElementKey(kind: .page, item: UInt64(1000), page: leaf)
  }

  mutating func introduce(_ leaves: [Int]) {
    let elements = leaves.map { leaf in
      Element(
        key: key(leaf),
        index: 0,
        size: Size(width: 300, height: 400),
        side: .right,
        stock: .paper,
        cornerRadius: 0,
        imageURL: "/p/\(leaf)",
        title: ""
      )
    }
    for message in encoder.introduce(elements) {
      messages.publish(.elements, on: id) { $0 += message }
    }
  }

  mutating func retire(keeping leaves: [Int]) {
    let keys = leaves.map { key($0) }
    for message in encoder.retire(keeping: { keys.contains($0) }) {
      messages.publish(.elements, on: id) { $0 += message }
    }
  }

  mutating func snapshot(_ frame: Frame, at time: Double) {
    number += 1
    messages.publish(.snapshot, on: id) {
      encoder.snapshot(of: frame, number: number, time: time, into: &$0)
    }
  }

  mutating func delta(_ frame: Frame, at time: Double) {
    number += 1
    messages.publish(.frames, on: id) {
      encoder.delta(of: frame, number: number, time: time, into: &$0)
    }
  }

  mutating func flight(_ frames: [TimedFrame]) {
    messages.publish(.frames, on: id) {
      encoder.batch(of: frames, firstNumber: number + 1, into: &$0)
    }
    number += UInt32(frames.count)
  }

  /// Returns the messages since the previous call.
  mutating func take() -> HostMessages {
    defer { messages.removeAll() }
    return messages
  }
}

/// Connections that accept every message unless they are full.
final class CollectingClients: Clients {
  var full: Set<ClientID> = []
  var sent: [ClientID: [[UInt8]]] = [:]
  var closed: [ClientID: UInt16] = [:]

  func send(_ bytes: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    guard !full.contains(client) else { return false }
    sent[client, default: []].append(Array(bytes))
    return true
  }

  func close(_ client: ClientID, code: UInt16, reason: String) { closed[client] = code }

  /// Returns the kinds of the messages that a connection received, by their first bytes, and
  /// removes the messages.
  func drainKinds(_ client: ClientID) -> [UInt8] {
    (sent.removeValue(forKey: client) ?? []).map { $0[0] }
  }
}

extension Viewport {
  static let plain = Viewport(size: Size(width: 1024, height: 768))
}

extension FrameDecoder {
  mutating func handle(_ messages: [[UInt8]]) throws {
    for bytes in messages { try apply(try ServerMessage(decoding: bytes)) }
  }
}
