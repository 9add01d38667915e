internal import Foundation
internal import Notices

extension Notice {
  /// The message as a text of the catalogue.
  var stored: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Creates a message from a text of the catalogue; one that is no message, as before there were
  /// codes, is shown unchanged.
  init(stored text: String) {
    self =
      (try? JSONDecoder().decode(Notice.self, from: Data(text.utf8)))
      ?? Notice(.other, ["reason": .text(text)])
  }
}
