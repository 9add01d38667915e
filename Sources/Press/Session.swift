internal import Bytes
internal import Glibc
internal import PressProtocol

/// Answers requests, one after another.
final class Session {
  private let source: Source
  private let limits: PressLimits
  /// The fault if the process could not be confined and must not read anything.
  let confinement: PressFault?
  private var document: (any Document)?

  init(source: Source, limits: PressLimits, confinement: PressFault?) {
    (self.source, self.limits, self.confinement) = (source, limits, confinement)
  }

  /// Answers until the standard input ends or violates the protocol.
  func serve(_ pipe: ReplyPipe) {
    while let header = ReplyPipe.read(PressFrame.headerBytes) {
      do throws(ByteError) {
        let length = try PressFrame.length(header)
        guard let message = ReplyPipe.read(length) else { return }
        answer(try PressRequest(decoding: message), pipe)
      } catch {
        pipe.send(.fault(.badRequest("\(error)")))
        return
      }
    }
  }

  private func answer(_ request: PressRequest, _ pipe: ReplyPipe) {
    do throws(PressFault) {
      if let confinement { throw confinement }
      Confinement.allow(seconds: limits.time.pageSeconds)
      switch request {
      case .open(let password):
        Confinement.allow(seconds: limits.time.openSeconds)
        pipe.send(.opened(try open(password)))
      case .facts:
        let document = try opened()
        Confinement.allow(seconds: limits.time.openingSeconds(pages: document.pageCount))
        pipe.send(.opened(try document.facts()))
      case .outline:
        let document = try opened()
        Confinement.allow(seconds: limits.time.openingSeconds(pages: document.pageCount))
        pipe.send(.outline(try document.outline()))
      case .page(let page): pipe.send(.page(try checked(page).content(of: page)))
      case .render(let page, let height, let effort):
        let document = try checked(page)
        let picture = try document.rendition(of: page, height: height, effort: effort)
        guard picture.bytes.count <= limits.picture.bytes else { throw .pageTooLarge(page) }
        pipe.send(.rendition(picture))
      case .extract(let size):
        let document = try opened()
        try document.extract(size) { asset in
          pipe.send(.asset(asset))
          Confinement.allow(seconds: self.limits.time.pageSeconds)
        }
        pipe.send(.opened(try document.facts()))
        pipe.send(.done)
      case .image(let bytes, let height, let effort):
        let image = try UntrustedImage(bytes, name: "", limits)
        let reply: PressReply =
          height == 0
          ? .imageFacts(image.facts)
          : .rendition(try image.rendition(height: height, effort: effort, page: 0))
        pipe.send(reply)
      case .headers(let heads):
        pipe.send(
          .headers(
            heads.map { head in Result { () throws(ImageFault) in try ImageHeaders.read(head) } }
          )
        )
      case .colours(let drawing): pipe.send(.colours(SVGColours.fills(drawing)))
      }
    } catch {
      pipe.send(.fault(error))
    }
  }

  private func open(_ password: String) throws(PressFault) -> DocumentFacts {
    document = nil
    let document = try source.open(password: password, limits)
    self.document = document
    return document.kind
  }

  private func opened() throws(PressFault) -> any Document {
    guard let document else { throw .badRequest("no document is open") }
    return document
  }

  /// Returns the document if it has such a page.
  private func checked(_ page: Int) throws(PressFault) -> any Document {
    let document = try opened()
    let count = document.pageCount
    guard page >= 0, page < count else { throw .noSuchPage(page, count: count) }
    return document
  }
}

extension TimeLimits {
  /// The limit of CPU seconds for work on a whole document.
  func openingSeconds(pages: Int) -> Int { openSeconds + secondsPerHundredPages * (pages / 100) }
}
