internal import PressProtocol
internal import Telemetry

// Log events of presses: why one ended unexpectedly, and with which file.
extension PressroomLoop {
  /// Logs the end of a press, unless the schedule requested it.
  func reportEnd(
    of id: UInt64,
    _ worker: WorkerState,
    _ ending: PressProcess.Ending,
    _ fault: PressFault
  ) {
    var cause = worker.cause
    if worker.isDismissed {
      guard schedule.presses[id]?.isOverdue == true else { return }
      cause = "it took too long"
    }
    // The diagnostics may contain text from the document.
    let words = String(decoding: worker.process.diagnostics, as: UTF8.self)
    options.log.warning(
      cause == nil ? .pressCrashed : .pressKilled,
      cause == nil ? "A press ended unexpectedly." : "A press was killed.",
      [
        "file": .text(file(of: id, worker)), "pid": .count(Int(worker.process.pid)),
        "page": worker.task?.pageNumber.map { .count($0 &+ 1) },
        "cause": .text(cause ?? "\(ending)"), "fault": .text("\(fault)"),
        "said": words.isEmpty ? nil : .text(PressText.line(words, PressText.reason)),
      ]
    )
  }

  /// Logs a reply which says that the press could not confine itself.
  func reportConfinement(_ reply: PressReply, from id: UInt64, _ worker: WorkerState) {
    guard case .fault(.unconfined(let call)) = reply else { return }
    options.log.error(
      .pressUnconfined,
      "A press could not confine itself, and no document can be opened. The kernel must allow "
        + "Landlock and seccomp for this user.",
      ["call": .text(call), "pid": .count(Int(worker.process.pid))],
      collapsing: "press.unconfined"
    )
  }

  /// Returns the name of the document or the image that a press has open.
  private func file(of id: UInt64, _ worker: WorkerState) -> String {
    let path: String
    switch (schedule.presses[id]?.source, worker.task) {
    case (.document(let document, _, _), _): path = document
    case (_, .image(let image, _, _)): path = image
    default: path = ""
    }
    return path.split(separator: "/").last.map(String.init) ?? ""
  }
}
