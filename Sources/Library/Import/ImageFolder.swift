internal import Notices
internal import PressProtocol
internal import Pressroom

/// The images of a folder; a press reads their headers.
struct ImageFolder {
  /// The number of bytes at the beginning of a file that are read; they suffice for nearly all
  /// images.
  static let headBytes = 1 << 16
  /// The number of bytes that are read of an image with a long beginning: profiles in a JPEG, or
  /// comments in an SVG.
  private static let longHeadBytes = 1 << 22

  /// The reason that an image cannot be shown.
  enum Fault: Error, Equatable {
    case file(FileFault)
    case image(ImageFault)
    case press(PressFault)

    /// What is wrong with an image and what to do, for the readers of its page.
    func notice(for name: String) -> Notice {
      let fault: PressFault =
        switch self {
        case .file(let fault): .unreadable(name: name, reason: fault.reason)
        case .image(.unknownFormat): .unknownImage(name: name)
        case .image: .imageDamaged(name: name)
        case .press(let fault): fault.naming(name)
        }
      return fault.notice
    }

    /// What is wrong and what to do, as a continuation of the file's path.
    var reason: String {
      switch self {
      case .file(let fault): Notice.english(fault.reason)
      case .image(let fault): "\(fault)"
      case .press(let fault): "\(fault)"
      }
    }
  }

  private typealias Header = Result<ImageHeader, ImageFault>

  let path: String
  let press: any Printing

  /// Reads the pages of images.
  /// - Parameters:
  ///   - names: Names of files; at most ``PressRequest/headersMax``.
  ///   - heads: The first ``headBytes`` bytes of each.
  /// - Returns: The pages in that order, or the reason that one cannot be shown.
  /// - Throws: ``PressFault`` if no press can read them now.
  func pages(
    _ names: [String],
    _ heads: [Result<[UInt8], FileFault>]
  ) throws(PressFault) -> [Result<PageRow, Fault>] {
    let readable = heads.compactMap { try? $0.get() }
    var headers = try headers(of: readable)[...]
    var pages: [Result<PageRow, Fault>] = []
    for (name, head) in zip(names, heads) {
      switch head {
      case .failure(let fault): pages.append(.failure(.file(fault)))
      case .success: pages.append(try page(name, headers.removeFirst()))
      }
    }
    return pages
  }

  /// Reads headers together.
  ///
  /// If a press crashes over them, reads them one by one, so that one image does not affect the
  /// others.
  private func headers(of heads: [[UInt8]]) throws(PressFault) -> [Result<Header, PressFault>] {
    guard !heads.isEmpty else { return [] }
    do throws(PressFault) {
      return try press.headers(of: heads).map { .success($0) }
    } catch {
      if error.concernsLibrary { throw error }
    }
    var headers: [Result<Header, PressFault>] = []
    for head in heads { headers.append(try header(of: head)) }
    // If no header was read, the cause is not in the images and may be temporary.
    if let fault = headers.compactMap(\.fault).last, headers.allSatisfy({ $0.fault != nil }) {
      throw fault
    }
    return headers
  }

  private func header(of head: [UInt8]) throws(PressFault) -> Result<Header, PressFault> {
    do throws(PressFault) {
      guard let header = try press.headers(of: [head]).first else { throw .noReply }
      return .success(header)
    } catch {
      if error.concernsLibrary { throw error }
      return .failure(error)
    }
  }

  private func page(
    _ name: String,
    _ header: Result<Header, PressFault>
  ) throws(PressFault) -> Result<PageRow, Fault> {
    switch header {
    case .failure(let fault): return .failure(.press(fault))
    case .success(.success(let header)): return .success(Self.row(name, header))
    case .success(.failure(.truncated(.jpeg))), .success(.failure(.truncated(.svg))):
      return try longPage(name)
    case .success(.failure(.turned)): return try otherPage(name)
    case .success(.failure(.unknownFormat)) where FileKinds.ending(of: name) != "svg":
      return try otherPage(name)
    case .success(.failure(let fault)): return .failure(.image(fault))
    }
  }

  /// Reads an image with a long beginning.
  private func longPage(_ name: String) throws(PressFault) -> Result<PageRow, Fault> {
    let head: [UInt8]
    do throws(FileFault) {
      head = try InputFile.head(of: path + "/" + name, limit: Self.longHeadBytes)
    } catch { return .failure(.file(error)) }
    switch try header(of: head) {
    case .failure(let fault): return .failure(.press(fault))
    case .success(.failure(let fault)): return .failure(.image(fault))
    case .success(.success(let header)): return .success(Self.row(name, header))
    }
  }

  /// Reads an image that not every browser shows as it is.
  private func otherPage(_ name: String) throws(PressFault) -> Result<PageRow, Fault> {
    do throws(PressFault) {
      let facts = try press.imageFacts(of: path + "/" + name)
      let (width, height) = (Double(facts.width), Double(facts.height))
      let format = facts.isTurned ? nil : "\(facts.format)"
      return .success(PageRow(width: width, height: height, file: name, format: format))
    } catch {
      if error.concernsLibrary { throw error }
      return .failure(.press(error))
    }
  }

  private static func row(_ name: String, _ header: ImageHeader) -> PageRow {
    PageRow(width: header.width, height: header.height, file: name, format: "\(header.format)")
  }
}

extension Result {
  fileprivate var fault: Failure? {
    if case .failure(let fault) = self { fault } else { nil }
  }
}

extension PressFault {
  /// Returns the same fault of an image with its name, if it has none.
  func naming(_ image: String) -> PressFault {
    let name = PressText.line(image, PressText.name)
    if self == .imageDamaged(name: "") { return .imageDamaged(name: name) }
    if self == .unknownImage(name: "") { return .unknownImage(name: name) }
    guard case .imageTooLarge("", let width, let height, let limit) = self else { return self }
    return .imageTooLarge(name: name, width: width, height: height, limit: limit)
  }

  /// Whether the cause is the library and not the file: it is closing or too busy.
  var concernsLibrary: Bool { self == .closing || self == .busy }
}
