/// The smallest valid documents.
package enum SamplePDF {
  /// Returns a document whose pages contain their numbers, as the text of the file.
  package static func text(pages: Int) -> String {
    let kids = (0..<pages).map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Count \(pages)/Kids[\(kids)]/MediaBox[0 0 300 400]>>",
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for page in 0..<pages {
      let content = "BT /F 24 Tf 50 200 Td (Page \(page + 1)) Tj ET"
      objects.append(
        "<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>>>/Contents \(5 + 2 * page) 0 R>>"
      )
      objects.append("<</Length \(content.utf8.count)>>stream\n\(content)\nendstream")
    }
    var text = "%PDF-1.4\n"
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
      places.append(text.utf8.count)
      text += "\(index + 1) 0 obj\(object)endobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for place in places {
      let digits = String(place)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    return text + "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
  }
}
