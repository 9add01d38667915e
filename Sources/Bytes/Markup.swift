/// Text in markup.
package enum Markup {
  /// Escapes a text for XML 1.0 content or attributes and omits characters that XML does not allow.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += " "
      default:
        let isForbidden = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        if !isForbidden { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
