internal import Motion
internal import Scene

extension TakenBook {
  /// Adds the visible parts of the book to a frame; `start`, in stage points to the right of the
  /// centre, and `scale` are those of its cover on the shelf.
  func place(
    from start: Double,
    scale: Double,
    opacity: Double,
    at time: Double,
    into frame: inout Frame
  ) {
    guard opacity > 0 else { return }
    let openness = opening.value(at: time)
    let pose = BookPose(
      offset: leaves.turn.value(at: time),
      openness: openness,
      closesOnBack: closesOnBack,
      shift: (isMirrored ? -start : start) * (1 - openness),
      closedScale: scale,
      flatness: clamp(lay.value(at: time)),
      bend: flexibility * leaves.bend(at: time),
      rulings: leaves.curl.rulings,
      isMirrored: isMirrored
    )
    leaves.layout.forEachVisiblePart(in: pose) { part in
      frame.placements.append(
        Placement(
          key: ElementKey(
            kind: .page,
            item: item,
            page: part.page,
            part: ElementPart(part.part, curl: leaves.curl)
          ),
          transform: isMirrored ? part.transform.mirrored : part.transform,
          opacity: opacity * part.opacity,
          shade: part.shade,
          z: part.z
        )
      )
    }
    guard let board = leaves.layout.backBoard(in: pose) else { return }
    frame.placements.append(
      Placement(
        key: ElementKey(kind: .board, item: item),
        transform: isMirrored ? board.transform.mirrored : board.transform,
        opacity: opacity,
        shade: board.shade,
        z: board.z
      )
    )
  }
}

extension ElementPart {
  fileprivate init(_ part: VisiblePart.Part, curl: Curl) {
    switch part {
    case .whole: self = .whole
    case .edge(let index): self = .edge(index)
    case .strip(let index): self = .strip(index, curl: curl)
    case .shadow: self = .shadow
    }
  }
}
