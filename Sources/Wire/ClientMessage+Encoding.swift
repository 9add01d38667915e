internal import Geometry
internal import Scene

extension ClientMessage {
  /// The bytes to send.
  ///
  /// Numbers outside of their range are sent as they are and refused by the other side.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .hello(let hello):
      bytes.beginClient(.hello)
      bytes.append(WireVersion.current)
      bytes.appendString(hello.room)
      bytes.appendViewport(
        hello.viewport,
        flags: (hello.reducesMotion ? 1 : 0) | (hello.reportsImages ? 2 : 0)
      )
    case .pointers(let pointers):
      bytes.beginClient(.pointers)
      bytes.appendDouble(pointers.target)
      let samples = pointers.samples.prefix(WireLimits.pointerSamples)
      bytes.append(UInt8(samples.count))
      for sample in samples {
        bytes.append(sample.id)
        bytes.append(sample.phase.rawValue)
        let age = sample.ageSeconds * 10_000 + 0.5
        bytes.append16(age > 0 ? UInt16(min(age, 65_535)) : 0)
        bytes.appendPoint(Point(x: sample.x, y: sample.y))
      }
    case .wheel(let dx, let dy, let point, let ctrl):
      bytes.beginClient(.wheel)
      bytes.appendFloat(dx)
      bytes.appendFloat(dy)
      bytes.appendPoint(point)
      bytes.append(ctrl ? 1 : 0)
    case .key(let key):
      bytes.beginClient(.key)
      bytes.append(key.rawValue)
    case .viewport(let viewport, let reducesMotion):
      bytes.beginClient(.viewport)
      bytes.appendViewport(viewport, flags: reducesMotion ? 1 : 0)
    case .clock(let clientTime):
      bytes.beginClient(.clock)
      bytes.appendDouble(clientTime)
    case .zoom(let phase, let scale, let point):
      bytes.beginClient(.zoom)
      bytes.append(phase.rawValue)
      bytes.appendFloat(scale)
      bytes.appendPoint(point)
    case .visibility(let isVisible):
      bytes.beginClient(.visibility)
      bytes.append(isVisible ? 1 : 0)
    case .ready, .jump, .go, .arrange, .lay, .zoomStep: appendOrder(to: &bytes)
    }
    return bytes
  }
}

extension ClientMessage {
  private func appendOrder(to bytes: inout [UInt8]) {
    switch self {
    case .ready(let ids):
      bytes.beginClient(.ready)
      let ids = ids.prefix(WireLimits.readyElements)
      bytes.append16(UInt16(ids.count))
      for id in ids { bytes.append16(id) }
    case .jump(let page):
      bytes.beginClient(.jump)
      bytes.append32(page)
    case .go(let book, let opens, let page):
      bytes.beginClient(.go)
      bytes.appendString(book)
      bytes.append(opens ? 1 : 0)
      bytes.append32(page ?? .max)
    case .arrange(let arrangement):
      bytes.beginClient(.arrange)
      bytes.append(arrangement.order.rawValue)
      bytes.appendString(arrangement.filter)
    case .lay(let order):
      bytes.beginClient(.lay)
      bytes.append(order.rawValue)
    case .zoomStep(let factor, let point):
      bytes.beginClient(.zoomStep)
      bytes.appendFloat(factor ?? 0)
      bytes.appendPoint(point)
    default: break
    }
  }
}

extension [UInt8] {
  fileprivate mutating func beginClient(_ type: ClientType) { append(type.rawValue) }

  fileprivate mutating func appendPoint(_ point: Point) {
    appendFloat(point.x)
    appendFloat(point.y)
  }

  fileprivate mutating func appendViewport(_ viewport: Viewport, flags: UInt8) {
    appendFloat(viewport.size.width)
    appendFloat(viewport.size.height)
    appendFloat(viewport.pixelRatio)
    append(flags)
  }
}
