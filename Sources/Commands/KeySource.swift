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
  let option: String
  /// The name of the environment variable.
  let variable: String

  /// A key and where it stands.
  struct Key: Equatable {
    let text: String
    let location: KeyLocation
  }

  /// Removes the key's options from the arguments and returns the key; nil if no source has one.
  func parse(
    from arguments: inout Arguments,
    environment: [String: String]
  ) throws(CommandError) -> Key? {
    let value = try arguments.value(option)
    let path = try arguments.value(option + "-file")
    if value != nil, path != nil {
      throw .usage("\(option) and \(option)-file say the same thing; use one of them")
    }
    if let value { return Key(text: value, location: .option(option)) }
    if let path {
      return Key(text: try Self.read(path, option: option + "-file"), location: .file(path))
    }
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return Key(text: text, location: .variable(variable))
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
