/// Writes a PDF, object by object.
package struct PDFWriter {
  private var objects: [[UInt8]] = []

  /// Creates an empty writer.
  package init() {}

  /// Reserves an object, so that others can refer to it before its contents are known.
  package mutating func reserve() -> Int {
    objects.append([])
    return objects.count
  }

  /// Sets the contents of an object.
  package mutating func set(_ number: Int, _ text: String) {
    objects[number - 1] = Array(text.utf8)
  }

  /// Adds an object and returns its number.
  package mutating func add(_ text: String) -> Int {
    let number = reserve()
    set(number, text)
    return number
  }

  /// Adds a stream and returns its number.
  package mutating func add(stream: [UInt8], _ entries: String = "") -> Int {
    let number = reserve()
    let head = "<< /Length \(stream.count) \(entries) >>\nstream\n"
    objects[number - 1] = Array(head.utf8) + stream + Array("\nendstream".utf8)
    return number
  }

  /// Returns the file; besides its size, the trailer contains a text such as `/Root 1 0 R`.
  package func finished(trailer: String) -> [UInt8] {
    var bytes = Array("%PDF-1.7\n".utf8)
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(bytes.count)
      bytes += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let table = bytes.count
    bytes += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
    for offset in offsets {
      let digits = String(offset)
      let padding = String(repeating: "0", count: 10 - digits.count)
      bytes += Array("\(padding)\(digits) 00000 n \n".utf8)
    }
    let end =
      "trailer\n<< /Size \(objects.count + 1) \(trailer) >>\nstartxref\n\(table)\n%%EOF\n"
    return bytes + Array(end.utf8)
  }
}
