package import Notices

extension PressFault: CustomStringConvertible {
  /// The message to readers; it counts pages from 1.
  package var notice: Notice {
    switch self {
    case .encrypted: Notice(.passwordNeeded)
    case .wrongPassword: Notice(.passwordWrong)
    case .encryptedArchive(let format): Notice(.archiveEncrypted, ["format": .text("\(format)")])
    case .damaged(let format): Notice(.documentDamaged, ["format": .text("\(format)")])
    case .unsupported(let what): Notice(.unsupported, ["what": .text(what)])
    case .unsupportedArchive(.rar): Notice(.unsupportedRAR)
    case .unsupportedArchive(let format):
      Notice(.unsupportedArchive, ["format": .text("\(format)")])
    case .djvu: Notice(.djvu)
    case .reflowable: Notice(.reflowable)
    case .fixedLayout: Notice(.fixedLayout)
    case .protected: Notice(.protected)
    case .fileTooLarge(let bytes, let limit):
      Notice(.fileTooLarge, ["bytes": .number(bytes), "limit": .number(limit)])
    case .tooManyPages(let count, let limit):
      Notice(.tooManyPages, ["count": .number(count), "limit": .number(limit)])
    case .noPages(.pdf): Notice(.pdfWithoutPages)
    case .noPages(let format): Notice(.archiveWithoutImages, ["format": .text("\(format)")])
    case .noSuchPage(let page, let count):
      Notice(.pageBeyondEnd, ["page": .number(page &+ 1), "count": .number(count)])
    case .pageTooLarge(let page): Self.notice(.pageTooLarge, of: page)
    case .pageDamaged(let page): Self.notice(.pageDamaged, of: page)
    case .tookTooLong(let page): Self.notice(.pageTookTooLong, of: page, or: .bookTookTooLong)
    case .neededTooMuchMemory(let page):
      Self.notice(.pageTookMemory, of: page, or: .bookTookMemory)
    case .stopped(let page): Self.notice(.pressStoppedOnPage, of: page, or: .pressStopped)
    case .imageTooLarge(let name, let width, let height, let limit):
      Notice(
        name.isEmpty ? .thisImageTooLarge : .imageTooLarge,
        Self.named(name).merging([
          "width": .number(width), "height": .number(height), "limit": .number(limit),
        ]) { $1 }
      )
    case .unknownImage(let name):
      Notice(name.isEmpty ? .thisImageUnknown : .imageUnknown, Self.named(name))
    case .imageDamaged(let name):
      Notice(name.isEmpty ? .thisImageDamaged : .imageDamaged, Self.named(name))
    case .entryTooLarge(let name, let limit):
      Notice(.entryTooLarge, ["name": .text(name), "limit": .number(limit)])
    case .archiveTooLarge(let limit): Notice(.archiveTooLarge, ["limit": .number(limit)])
    case .tooManyEntries(let limit): Notice(.tooManyEntries, ["limit": .number(limit)])
    case .ratio(let name, let limit):
      Notice(.archiveExpands, ["name": .text(name), "limit": .number(limit)])
    case .nestedArchive(let name): Notice(.archiveNested, ["name": .text(name)])
    case .unconfined(let call): Notice(.pressUnconfined, ["reason": .text(call)])
    case .badRequest(let why): Notice(.pressRequest, ["reason": .text(why)])
    case .busy: Notice(.pressBusy)
    case .unreadable(let name, let reason):
      Notice(.fileUnreadable, ["name": .text(name), "reason": .text(reason)])
    case .closing: Notice(.serverStopping)
    }
  }

  /// The English text of the notice.
  package var description: String { notice.message }

  private static func notice(
    _ code: Notice.Code,
    of page: Int?,
    or other: Notice.Code? = nil
  ) -> Notice {
    page.map { Notice(code, ["page": .number($0 &+ 1)]) } ?? Notice(other ?? code)
  }

  private static func named(_ name: String) -> [String: Notice.Value] {
    name.isEmpty ? [:] : ["name": .text(name)]
  }
}
