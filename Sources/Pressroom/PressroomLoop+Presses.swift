internal import Bytes
internal import PressProtocol
internal import Telemetry

// Operations on single presses.
extension PressroomLoop {
  func start(_ id: UInt64, _ source: PressSource) {
    do throws(PressFault) {
      switch source {
      case .images: try spawn(id, document: nil)
      case .document(let path, let password, let version):
        let file = try OpenFile(path, followsLink: true)
        try file.check(version)
        try spawn(id, document: file.descriptor)
        workers[id]?.isOpening = true
        workers[id]?.fileBytes = file.bytes
        workers[id]?.process.send(.open(password: password))
      }
    } catch {
      // Without a process, the schedule is informed immediately that the press has ended.
      if case .document = source { schedule.refused(id, fault: error, at: now) }
      schedule.exited(id, fault: error, at: now)
    }
  }

  private func spawn(_ id: UInt64, document: Int32?) throws(PressFault) {
    do throws(SpawnFailure) {
      let process = try PressProcess(
        program: options.press,
        arguments: options.arguments + LayoutEngine.arguments + FallbackFonts.arguments,
        limits: options.limits.press,
        document: document
      )
      workers[id] = WorkerState(process: process)
    } catch {
      options.log.error(
        .pressFailed,
        "No press could be started.",
        ["program": .text(options.press), "reason": .text("\(error)")],
        collapsing: "press.failed"
      )
      throw .stopped(page: nil)
    }
  }

  func send(_ task: PressTask, _ priority: PrintPriority, to id: UInt64) {
    guard let worker = workers[id] else { return }
    let process = worker.process
    workers[id]?.task = task
    workers[id]?.extraction =
      task.isExtraction ? Extraction(options.limits.press, fileBytes: worker.fileBytes) : nil
    let effort: Effort = priority == .background ? .idle : .onDemand
    switch task {
    case .facts: process.send(.facts)
    case .outline: process.send(.outline)
    case .page(let page): process.send(.page(page))
    case .render(let page, let height):
      process.send(.render(page: page, height: height, effort: effort))
    case .extract(_, let size): process.send(.extract(size))
    case .headers(let heads): process.send(.headers(heads.files))
    case .colours(let drawing): process.send(.colours(drawing.files.first ?? []))
    case .image(let path, _, _):
      workers[id]?.effort = effort
      load(path, for: id)
    }
  }

  /// Sends an image whose file was read.
  ///
  /// Each press waits for at most one file.
  func send(_ file: Result<[UInt8], PressFault>, to id: UInt64) {
    guard let worker = workers[id], !worker.isLeaving, case .image(_, _, let height)? = worker.task
    else {
      return
    }
    switch file {
    case .success(let bytes):
      worker.process.send(.image(bytes: bytes, height: height, effort: worker.effort))
    case .failure(let fault):
      workers[id]?.task = nil
      schedule.answered(id, .failure(fault), at: now)
    }
  }

  /// Kills a press at the request of the schedule.
  func dismiss(_ id: UInt64) {
    guard let worker = workers[id] else { return }
    workers[id]?.isDismissed = true
    guard !worker.isLeaving else { return }
    workers[id]?.isLeaving = true
    worker.process.kill()
  }

  /// Reaps the presses that have ended and informs the schedule.
  func reap() {
    for (id, worker) in workers where worker.isLeaving {
      guard let ending = worker.process.reap() else { continue }
      workers[id] = nil
      let diagnostics = String(decoding: worker.process.diagnostics, as: UTF8.self)
      let fault =
        worker.verdict
        ?? PressFault.ending(
          signal: ending.signal,
          diagnostics: diagnostics,
          page: worker.task?.pageNumber
        )
      reportEnd(of: id, worker, ending, fault)
      schedule.exited(id, fault: fault, at: now)
    }
    carryOut()
  }

  /// Writes to and reads from a press as far as it is ready.
  func attend(to id: UInt64) {
    guard let worker = workers[id], !worker.isLeaving else { return }
    worker.process.flush()
    guard !worker.isPaused else { return }
    let reading = worker.process.read()
    readReplies(id)
    // Its last replies are still read, but no more follow.
    if reading == .ended, workers[id]?.isPaused == false { lose(id) }
  }

  /// Handles complete replies.
  func readReplies(_ id: UInt64) {
    do throws(ByteError) {
      while let worker = workers[id], !worker.isLeaving, !worker.isPaused {
        guard let reply = try worker.process.nextReply() else { return }
        guard handle(reply, from: id) else {
          return lose(id, because: "it sent a reply that was not requested")
        }
      }
    } catch {
      lose(id, because: "it broke the protocol: \(error)")
    }
  }

  /// Kills a press that has failed; the schedule is informed once it has ended.
  private func lose(_ id: UInt64, because cause: String? = nil) {
    guard let worker = workers[id], !worker.isLeaving else { return }
    workers[id]?.isLeaving = true
    workers[id]?.cause = cause
    worker.process.kill()
  }

  /// - Returns: `false` if the reply does not belong to the request.
  private func handle(_ reply: PressReply, from id: UInt64) -> Bool {
    guard let worker = workers[id] else { return true }
    reportConfinement(reply, from: id, worker)
    if worker.isOpening {
      switch reply {
      case .opened:
        workers[id]?.isOpening = false
        schedule.opened(id, at: now)
      case .fault(let fault): schedule.refused(id, fault: fault, at: now)
      case .outline, .page, .rendition, .asset, .done, .imageFacts, .headers, .colours: return false
      }
    } else if let task = worker.task {
      if case .fault(let fault) = reply {
        finish(id, .failure(fault))
      } else if let number = task.extraction {
        switch reply {
        case .asset(let asset): return receive(asset, of: number, from: id)
        case .opened: return workers[id]?.extraction?.receive(reply) == .accepted
        case .done:
          guard let facts = worker.extraction?.facts else { return false }
          finish(id, .success(facts))
        case .outline, .page, .rendition, .imageFacts, .headers, .colours, .fault: return false
        }
      } else {
        guard reply.meets(task) else { return false }
        finish(id, .success(reply))
      }
    } else {
      return false
    }
    carryOut()
    return true
  }

  /// Forwards an image, or kills the press if it exceeds a limit.
  /// - Returns: `false` if a press would never send it.
  private func receive(_ asset: Asset, of extraction: UInt64, from id: UInt64) -> Bool {
    schedule.sentPart(id, at: now)
    switch workers[id]?.extraction?.receive(asset) {
    case .accepted?:
      if workers[id]?.isPaused == true { schedule.paused(id) }
      deliver(asset, of: extraction)
      return true
    case .refused(let fault)?:
      workers[id]?.verdict = fault
      lose(id, because: "its reply is too long")
      return true
    case .senseless?, nil: return false
    }
  }

  /// Reads diagnostics, and kills a press that writes too much of them.
  func handle(_ id: UInt64) {
    guard let worker = workers[id] else { return }
    worker.process.readDiagnostics()
    guard worker.process.isDeafening, !worker.isLeaving else { return }
    lose(id, because: "it wrote too many diagnostics")
  }

  private func finish(_ id: UInt64, _ answer: Result<PressReply, PressFault>) {
    workers[id]?.task = nil
    workers[id]?.extraction = nil
    schedule.answered(id, answer, at: now)
  }
}

extension PressReply {
  /// Returns whether this reply answers a task and can be forwarded.
  fileprivate func meets(_ task: PressTask) -> Bool {
    switch self {
    case .asset, .done, .fault: false
    case .opened: task == .facts
    case .outline: task == .outline
    case .page: if case .page = task { true } else { false }
    case .imageFacts: if case .image(_, _, 0) = task { true } else { false }
    case .headers(let headers):
      if case .headers(let heads) = task { heads.files.count == headers.count } else { false }
    case .colours: if case .colours = task { true } else { false }
    case .rendition(let rendition): task.isPicture && rendition.isWhatItSays
    }
  }
}
