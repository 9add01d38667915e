internal import Foundation
internal import Glibc
internal import Server

/// The sources of a key: an option, a file, or the environment.
///
/// A list of processes shows only the option.
struct KeySource {
  /// The maximum size of a key file, in bytes.
  private static let fileMax = 4096

  /// The option for the key itself, such as `--library-key`; with the suffix `-file` it names a
  /// file.
  private let option: String

  init(_ option: String) { self.option = option }

  /// A key and where it stands.
  struct Key: Equatable {
    let text: String
    let location: KeyLocation
  }

  /// Removes the key's options from the arguments and returns the key; nil if no source has one.
  func parse(from arguments: inout Arguments) throws(CommandError) -> Key? {
    let fileOption = option + "-file"
    let value = try arguments.value(option)
    let path = try arguments.value(fileOption)
    let (origin, fileOrigin) = (arguments.origin(of: option), arguments.origin(of: fileOption))
    if let path, value == nil || fileOrigin.precedes(origin) {
      return Key(
        text: try Self.read(path, option: fileOrigin.label(fileOption)),
        location: .file(path)
      )
    }
    guard let value else { return nil }
    guard path == nil || origin.precedes(fileOrigin) else {
      throw .usage(
        "\(origin.label(option)) and \(fileOrigin.label(fileOption)) say the same thing; use one of"
          + " them"
      )
    }
    return Key(text: value, location: location(of: origin))
  }

  private func location(of origin: Settings.Origin) -> KeyLocation {
    switch origin {
    case .commandLine: .option(option)
    case .variable(let name): .variable(name)
    case .file(let path, _): .file(path)
    }
  }

  private static func read(_ path: String, option: String) throws(CommandError) -> String {
    guard let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: fileMax + 1)
    else { throw .failed("\(option) is \"\(path)\", which cannot be read") }
    guard data.count <= fileMax, let text = String(validating: data, as: UTF8.self) else {
      throw .failed("\(option) is \"\(path)\", which holds no key: one line of text")
    }
    let line = text.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    guard !line.isEmpty else {
      throw .failed("\(option) is \"\(path)\", whose first line is empty")
    }
    return line
  }
}
