package import Notices

extension PressFault: NoticeError {
  /// The message to readers; it counts pages from 1.
  package var notice: Notice {
    switch self {
    case .encrypted: Notice(.passwordNeeded)
    case .wrongPassword: Notice(.passwordWrong)
    case .encryptedArchive(let format): Notice(.archiveEncrypted, ["format": "\(format)"])
    case .damaged(let format): Notice(.documentDamaged, ["format": "\(format)"])
    case .unsupported(let what): Notice(.unsupported, ["what": what])
    case .unsupportedArchive(.rar): Notice(.unsupportedRAR)
    case .unsupportedArchive(let format):
      Notice(.unsupportedArchive, ["format": "\(format)"])
    case .engineMissing: Notice(.engineMissing)
    case .engineFailed(let step): Notice(.engineFailed, ["step": step])
    case .protected: Notice(.protected)
    case .fileTooLarge(let bytes, let limit):
      Notice(.fileTooLarge, ["bytes": "\(bytes)", "limit": "\(limit)"])
    case .tooManyPages(let count, let limit):
      Notice(.tooManyPages, ["count": "\(count)", "limit": "\(limit)"])
    case .noPages(.pdf): Notice(.pdfWithoutPages)
    case .noPages(let format): Notice(.archiveWithoutImages, ["format": "\(format)"])
    case .noSuchPage(let page, let count):
      Notice(.pageBeyondEnd, ["page": "\(page &+ 1)", "count": "\(count)"])
    case .pageTooLarge(let page): Self.notice(.pageTooLarge, of: page)
    case .fontMissing(let page): Self.notice(.fontMissing, of: page)
    case .dynamicForm: Notice(.dynamicForm)
    case .pageDamaged(let page): Self.notice(.pageDamaged, of: page)
    case .tookTooLong(let page): Self.notice(.pageTookTooLong, of: page, or: .bookTookTooLong)
    case .neededTooMuchMemory(let page):
      Self.notice(.pageTookMemory, of: page, or: .bookTookMemory)
    case .stopped(let page): Self.notice(.pressStoppedOnPage, of: page, or: .pressStopped)
    case .imageTooLarge(let name, let width, let height, let limit):
      Notice(
        name.isEmpty ? .thisImageTooLarge : .imageTooLarge,
        Self.named(name).merging([
          "width": "\(width)", "height": "\(height)", "limit": "\(limit)",
        ]) { $1 }
      )
    case .unknownImage(let name):
      Notice(name.isEmpty ? .thisImageUnknown : .imageUnknown, Self.named(name))
    case .imageDamaged(let name):
      Notice(name.isEmpty ? .thisImageDamaged : .imageDamaged, Self.named(name))
    case .entryTooLarge(let name, let limit):
      Notice(.entryTooLarge, ["name": name, "limit": "\(limit)"])
    case .archiveTooLarge(let limit): Notice(.archiveTooLarge, ["limit": "\(limit)"])
    case .tooManyEntries(let limit): Notice(.tooManyEntries, ["limit": "\(limit)"])
    case .ratio(let name, let limit):
      Notice(.archiveExpands, ["name": name, "limit": "\(limit)"])
    case .nestedArchive(let name): Notice(.archiveNested, ["name": name])
    case .unconfined(let call):
      Notice(other: "The press could not confine itself (\(call)) and opened nothing. See the log.")
    case .badRequest(let why): Notice(other: "The press does not support this request: \(why).")
    case .busy: Notice(.pressBusy)
    case .unreadable(let name, let reason):
      Notice(.fileUnreadable, ["name": name, "reason": reason])
    case .closing: Notice(.serverStopping)
    }
  }

  private static func notice(
    _ code: Notice.Code,
    of page: Int?,
    or other: Notice.Code? = nil
  ) -> Notice {
    page.map { Notice(code, ["page": "\($0 &+ 1)"]) } ?? Notice(other ?? code)
  }

  private static func named(_ name: String) -> [String: String] {
    name.isEmpty ? [:] : ["name": name]
  }
}
