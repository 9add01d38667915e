internal import PressProtocol
internal import Telemetry

// What is done with single presses.
extension PressroomLoop {
  func start(_ id: UInt64, _ source: PressSource) {
    do throws(PressFault) {
      switch source {
      case .images: try spawn(id, document: nil)
      case .document(let path, let password, let version):
        let file = try OpenFile(path, followsLink: true)
        try file.check(version)
        try spawn(id, document: file.descriptor)
        crews[id]?.isOpening = true
        crews[id]?.fileBytes = file.bytes
        crews[id]?.process.send(.open(password: password))
      }
    } catch {
      // No process: the schedule hears at once that it is gone.
      if case .document = source { schedule.refused(id, fault: error, at: now) }
      schedule.exited(id, fault: error, at: now)
    }
  }

  private func spawn(_ id: UInt64, document: Int32?) throws(PressFault) {
    do throws(SpawnFailure) {
      let process = try PressProcess(
        program: options.press,
        arguments: options.arguments,
        limits: options.limits.press,
        document: document
      )
      crews[id] = Crew(process: process)
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
    guard let crew = crews[id] else { return }
    let process = crew.process
    crews[id]?.task = task
    crews[id]?.extraction =
      task.isExtraction ? Extraction(options.limits.press, fileBytes: crew.fileBytes) : nil
    let effort: Effort = priority == .background ? .idle : .onDemand
    switch task {
    case .facts: break
    case .outline: process.send(.outline)
    case .page(let page): process.send(.page(page))
    case .render(let page, let height):
      process.send(.render(page: page, height: height, effort: effort))
    case .extract: process.send(.extract)
    case .image(let path, _, _):
      crews[id]?.effort = effort
      load(path, for: id)
    }
  }

  /// Sends an image whose file was read.
  ///
  /// Each press waits for one file at most.
  func send(_ file: Result<[UInt8], PressFault>, to id: UInt64) {
    guard let crew = crews[id], !crew.isLeaving, case .image(_, _, let height)? = crew.task else {
      return
    }
    switch file {
    case .success(let bytes):
      crew.process.send(.image(bytes: bytes, height: height, effort: crew.effort))
    case .failure(let fault):
      crews[id]?.task = nil
      schedule.answered(id, .failure(fault), at: now)
    }
  }

  /// Ends a press because the schedule says so.
  func dismiss(_ id: UInt64) {
    guard let crew = crews[id] else { return }
    crews[id]?.isDismissed = true
    guard !crew.isLeaving else { return }
    crews[id]?.isLeaving = true
    crew.process.kill()
  }

  /// Lets the kernel forget the presses that are gone, and tells the schedule.
  func reap() {
    for (id, crew) in crews where crew.isLeaving {
      guard let ending = crew.process.reap() else { continue }
      crews[id] = nil
      let diagnostics = String(decoding: crew.process.diagnostics, as: UTF8.self)
      let fault =
        crew.verdict
        ?? PressFault.ending(
          signal: ending.signal,
          diagnostics: diagnostics,
          page: crew.task?.pageNumber
        )
      reportEnd(of: id, crew, ending, fault)
      schedule.exited(id, fault: fault, at: now)
    }
    carryOut()
  }

  /// Writes and reads what a press is ready for.
  func attend(to id: UInt64) {
    guard let crew = crews[id], !crew.isLeaving else { return }
    crew.process.flush()
    guard !crew.isPaused else { return }
    let reading = crew.process.read()
    readReplies(id)
    // Its last words are still worth having, but there will be no more.
    if reading == .ended, crews[id]?.isPaused == false { lose(id) }
  }

  /// Handles the replies that have come whole.
  func readReplies(_ id: UInt64) {
    do throws(PressProtocolError) {
      while let crew = crews[id], !crew.isLeaving, !crew.isPaused {
        guard let reply = try crew.process.nextReply() else { return }
        guard handle(reply, from: id) else {
          return lose(id, because: "it answered what it was not asked")
        }
      }
    } catch {
      lose(id, because: "it broke the protocol: \(error)")
    }
  }

  /// A press has ended, or must: the schedule hears of it once it is gone.
  private func lose(_ id: UInt64, because cause: String? = nil) {
    guard let crew = crews[id], !crew.isLeaving else { return }
    crews[id]?.isLeaving = true
    crews[id]?.cause = cause
    crew.process.kill()
  }

  /// - Returns: `false` if the reply is none to what the press was asked.
  private func handle(_ reply: PressReply, from id: UInt64) -> Bool {
    guard let crew = crews[id] else { return true }
    reportConfinement(reply, from: id, crew)
    if crew.isOpening {
      switch reply {
      case .opened:
        crews[id]?.isOpening = false
        schedule.opened(id, facts: reply, at: now)
      case .fault(let fault): schedule.refused(id, fault: fault, at: now)
      default: return false
      }
    } else if let task = crew.task {
      switch (task, reply) {
      case (.extract(let number), .asset(let asset)): return take(asset, of: number, from: id)
      case (.extract, .opened): return crews[id]?.extraction?.take(reply) == .accepted
      case (.extract, .done):
        guard let facts = crew.extraction?.facts else { return false }
        finish(id, .success(facts))
      case (_, .fault(let fault)): finish(id, .failure(fault))
      default:
        guard reply.meets(task) else { return false }
        finish(id, .success(reply))
      }
    } else {
      return false
    }
    carryOut()
    return true
  }

  /// Hands on an image, unless it is one too many: then the press is ended.
  /// - Returns: `false` if no press would have sent it.
  private func take(_ asset: Asset, of extraction: UInt64, from id: UInt64) -> Bool {
    schedule.sentPart(id, at: now)
    switch crews[id]?.extraction?.take(asset) {
    case .accepted?:
      if crews[id]?.isPaused == true { schedule.paused(id) }
      deliver(asset, of: extraction)
      return true
    case .refused(let fault)?:
      crews[id]?.verdict = fault
      lose(id, because: "its answer is too long")
      return true
    case .senseless?, nil: return false
    }
  }

  /// Keeps the last of what a press complains of, and ends one that does not stop complaining.
  func hear(_ id: UInt64) {
    guard let crew = crews[id] else { return }
    crew.process.readDiagnostics()
    guard crew.process.isDeafening, !crew.isLeaving else { return }
    lose(id, because: "it complained without end")
  }

  private func finish(_ id: UInt64, _ answer: Result<PressReply, PressFault>) {
    crews[id]?.task = nil
    crews[id]?.extraction = nil
    schedule.answered(id, answer, at: now)
  }
}

extension PressReply {
  /// Whether this is an answer to a task, and one that may be handed on.
  fileprivate func meets(_ task: PressTask) -> Bool {
    switch (task, self) {
    case (.outline, .outline), (.page, .page), (.image(_, _, 0), .imageFacts): true
    case (.image(_, _, 0), _): false
    case (.render, .rendition(let rendition)), (.image, .rendition(let rendition)):
      rendition.isWhatItSays
    default: false
    }
  }
}
