internal import PressProtocol
internal import Telemetry

// What is logged of presses: why one ended that should not have, and over which file.
extension PressroomLoop {
  /// Reports the end of a press, unless the schedule had no more use for it.
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
    // What it says may be its document's words.
    let words = String(decoding: worker.process.diagnostics, as: UTF8.self)
    options.log.warning(
      cause == nil ? .pressCrashed : .pressKilled,
      cause == nil ? "A press ended by itself." : "A press was ended.",
      [
        "file": .text(file(of: id, worker)), "pid": .count(Int(worker.process.pid)),
        "page": worker.task?.pageNumber.map { .count($0 &+ 1) },
        "cause": .text(cause ?? "\(ending)"), "fault": .text(fault.message),
        "said": words.isEmpty ? nil : .text(PressText.line(words, PressText.reason)),
      ]
    )
  }

  /// Reports that a press opens nothing, if that is what its reply says.
  func reportConfinement(_ reply: PressReply, from id: UInt64, _ worker: WorkerState) {
    guard case .fault(.unconfined(let call)) = reply else { return }
    options.log.error(
      .pressUnconfined,
      "A press could not confine itself, and no document can be opened. The kernel has to allow "
        + "Landlock and seccomp to this user.",
      ["call": .text(call), "pid": .count(Int(worker.process.pid))],
      collapsing: "press.unconfined"
    )
  }

  /// The name of the document or the image that a press has open.
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
