import Motion
import Notices
import Scene
import Wire

/// Returns a packet's fields with the names that the page uses, and the number of its role.
func described(_ packet: ClientPacket) -> [String: Any] {
  let fields = described(packet.message)
  return packet.role == 0 ? fields : fields.merging(["role": packet.role]) { $1 }
}

private func described(_ message: ClientMessage) -> [String: Any] {
  switch message {
  case .hello(let hello):
    described(hello.viewport, hello.reducesMotion, type: "hello").merging(
      [
        "room": hello.room, "key": hello.key, "resume": hello.resume, "reader": hello.reader,
        "name": hello.persona.name,
        "colour": hello.persona.colour ?? 255, "reportsImages": hello.reportsImages,
        "sharesStage": hello.sharesStage,
      ]
    ) { $1 }
  case .pointers(let pointers):
    [
      "type": "pointers", "target": pointers.target,
      "samples": pointers.samples.map { sample in
        [
          "id": sample.id, "phase": sample.phase.rawValue, "age": sample.ageSeconds,
          "x": sample.x, "y": sample.y,
        ]
      },
    ]
  case .wheel(let dx, let dy, let point, let ctrl):
    ["type": "wheel", "dx": dx, "dy": dy, "x": point.x, "y": point.y, "ctrl": ctrl]
  case .key(let key): ["type": "key", "key": key.rawValue]
  case .viewport(let viewport, let reducesMotion):
    described(viewport, reducesMotion, type: "viewport")
  case .clock(let clientTime): ["type": "clock", "clientTime": clientTime]
  case .zoom(let phase, let scale, let point):
    ["type": "zoom", "phase": phase.rawValue, "scale": scale, "x": point.x, "y": point.y]
  case .visibility(let isVisible): ["type": "visibility", "visible": isVisible]
  case .ready(let ids): ["type": "ready", "elements": ids]
  case .jump(let page): ["type": "jump", "page": page]
  case .go(let book, let opens, let page):
    ["type": "go", "book": book, "opens": opens].merging(page.map { ["page": $0] } ?? [:]) { $1 }
  case .arrange(let arrangement):
    ["type": "arrange", "order": arrangement.order.rawValue, "filter": arrangement.filter]
  case .lay(let order): ["type": "lay", "pose": order.rawValue]
  case .zoomStep(let factor, let point):
    ["type": "zoomStep", "factor": factor ?? 0, "x": point.x, "y": point.y]
  case .fit(let fit):
    [
      "type": "fit", "span": fit.span.rawValue, "left": fit.words.left, "top": fit.words.top,
      "right": fit.words.right, "bottom": fit.words.bottom,
    ]
  case .persona, .ack, .point, .raise, .wander, .handover: presence(message)
  default: administration(message)
  }
}

private func described(
  _ viewport: Viewport,
  _ reducesMotion: Bool,
  type: String
) -> [String: Any] {
  [
    "type": type, "width": viewport.size.width, "height": viewport.size.height,
    "pixelRatio": viewport.pixelRatio, "reducedMotion": reducesMotion,
  ]
}

/// Returns a message's fields with the names that the page uses.
func described(_ message: ServerMessage) -> [String: Any] {
  switch message {
  case .welcome(let welcome):
    [
      "type": "welcome", "version": WireVersion.current, "room": welcome.room,
      "memberId": welcome.memberID,
      "serverTime": welcome.serverTime, "resume": welcome.resume, "key": welcome.key,
      "reader": welcome.reader, "pass": welcome.pass, "numbering": welcome.numbering,
    ]
  case .elements(let elements): ["type": "elements", "elements": elements.map(described)]
  case .snapshot(let update): described(update, type: "snapshot")
  case .delta(let update): described(update, type: "delta")
  case .batch(let updates):
    ["type": "batch", "frames": updates.map { described($0, type: "delta") }]
  case .camera(let matrix): ["type": "camera", "matrix": numbers(matrix)]
  case .framing(let framing):
    [
      "type": "framing", "pages": framing.pages.rawValue, "scale": Double(framing.scale),
      "range": described(framing.range),
    ]
  case .pass(let pass): ["type": "pass", "pass": pass]
  case .cameras(let cameras):
    [
      "type": "cameras",
      "cameras": cameras.map { ["time": $0.time, "matrix": numbers($0.matrix)] as [String: Any] },
    ]
  case .clock(let clientTime, let serverTime):
    ["type": "clock", "clientTime": clientTime, "serverTime": serverTime]
  case .error(let code, let notice):
    [
      "type": "error", "code": code,
      "notice": ["code": notice.code.name, "values": notice.values]
        as [String: Any],
    ]
  case .caption(let caption):
    named(
      caption.flags,
      ["isFlat", "waitsForImages", "findsNothing", "isBegun", "cannotOpen", "isWall", "isLost"]
    )
    .merging([
      "type": "caption", "screen": caption.screen.rawValue, "index": caption.index,
      "count": caption.count, "heading": caption.heading, "title": caption.title,
      "author": caption.author, "size": caption.size, "range": described(caption.range),
      "book": caption.book, "page": caption.page, "order": caption.arrangement.order.rawValue,
      "filter": caption.arrangement.filter, "spread": caption.spread,
    ]) { $1 }
  case .retired(let ids): ["type": "retired", "ids": ids]
  default: news(message)
  }
}

func described(_ range: PageRange) -> [String: Any] {
  ["labels": range.labels, "total": range.total]
}

private func described(_ element: WireElement) -> [String: Any] {
  [
    "id": element.id, "kind": element.kind.rawValue, "index": element.index,
    "side": element.side.rawValue, "stock": element.stock.rawValue,
    "width": Double(element.width), "height": Double(element.height),
    "cornerRadius": Double(element.cornerRadius),
    "imageURL": element.imageURL, "title": element.title, "author": element.author,
    "count": element.count,
  ]
}

private func described(_ update: FrameUpdate, type: String) -> [String: Any] {
  [
    "type": type, "number": update.number, "time": update.time, "screen": update.screen.rawValue,
    "settled": update.isSettled, "count": update.entries.count,
  ]
}
