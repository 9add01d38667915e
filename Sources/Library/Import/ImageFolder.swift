internal import PressProtocol

/// The images of a folder, whose headers a press reads.
struct ImageFolder {
  /// The first bytes of a file that are read; they suffice for nearly all images.
  static let headBytes = 1 << 16
  /// The first bytes that are read of an image with more than that before its size: profiles in a
  /// JPEG, comments in an SVG.
  private static let longHeadBytes = 1 << 22

  /// Why an image cannot be shown.
  enum Fault: Error, Equatable {
    case file(FileFault)
    case image(ImageFault)
    case press(PressFault)

    /// What was wrong and what to do, to follow the file's path.
    var reason: String {
      switch self {
      case .file(let fault): fault.reason
      case .image(let fault): "\(fault)"
      case .press(let fault): "\(fault)"
      }
    }
  }

  private typealias Header = Result<ImageHeader, ImageFault>

  let path: String
  let press: any Printing

  /// Reads the pages that images are.
  /// - Parameters:
  ///   - names: Names of files; at most ``PressRequest/headersMax``.
  ///   - heads: The first ``headBytes`` of each.
  /// - Returns: The pages in that order, or why they cannot be shown.
  /// - Throws: ``PressFault`` if the presses cannot tell now.
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

  /// Reads headers together; if a press ends over them, one by one, so that one image spoils no
  /// other.
  private func headers(
    of heads: [[UInt8]]
  ) throws(PressFault) -> [Result<Header, PressFault>] {
    guard !heads.isEmpty else { return [] }
    do throws(PressFault) {
      return try press.headers(of: heads).map { .success($0) }
    } catch {
      if error.isLibrarys { throw error }
    }
    var headers: [Result<Header, PressFault>] = []
    for head in heads { headers.append(try header(of: head)) }
    // Not one was read: it is not for the images, and may be over in a while.
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
      if error.isLibrarys { throw error }
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
    case .success(.failure(.unknownFormat)) where FolderScan.ending(of: name) != "svg":
      return try otherPage(name)
    case .success(.failure(let fault)): return .failure(.image(fault))
    }
  }

  /// An image with a long beginning.
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

  /// An image of a format that not every browser shows.
  private func otherPage(_ name: String) throws(PressFault) -> Result<PageRow, Fault> {
    do throws(PressFault) {
      let facts = try press.imageFacts(of: path + "/" + name)
      let (width, height) = (Double(facts.width), Double(facts.height))
      return .success(
        PageRow(width: width, height: height, file: name, format: "\(facts.format)")
      )
    } catch {
      if error.isLibrarys { throw error }
      return .failure(.press(error))
    }
  }

  private static func row(_ name: String, _ header: ImageHeader) -> PageRow {
    PageRow(
      width: header.width,
      height: header.height,
      file: name,
      format: "\(header.format)"
    )
  }
}

extension Result {
  fileprivate var fault: Failure? {
    if case .failure(let fault) = self { fault } else { nil }
  }
}

extension PressFault {
  /// Whether the library itself is the reason, and not the file: it is closing or too busy.
  var isLibrarys: Bool { self == .closing || self == .busy }
}
