internal import Bytes

/// The encoded form of a fault: a code, a text and three numbers, of which each fault uses some.
struct FaultRecord {
  var code: UInt8
  var text: String
  var numbers: [Int]

  private init(_ code: UInt8, _ text: String = "", _ a: Int = 0, _ b: Int = 0, _ c: Int = 0) {
    (self.code, self.text, numbers) = (code, text, [a, b, c])
  }

  init(_ fault: PressFault) {
    switch fault {
    case .encrypted: self.init(1)
    case .wrongPassword: self.init(2)
    case .encryptedArchive(let format): self.init(3, "", Int(format.rawValue))
    case .damaged(let format): self.init(4, "", Int(format.rawValue))
    case .unsupported(let what): self.init(5, what)
    case .unsupportedArchive(let format): self.init(6, "", Int(format.rawValue))
    case .engineMissing: self.init(8)
    case .protected: self.init(9)
    case .fileTooLarge(let bytes, let limit): self.init(10, "", bytes, limit)
    case .tooManyPages(let count, let limit): self.init(11, "", count, limit)
    case .noPages(let format): self.init(12, "", Int(format.rawValue))
    case .noSuchPage(let page, let count): self.init(13, "", page, count)
    case .pageTooLarge(let page): self.init(14, "", page)
    case .pageDamaged(let page): self.init(15, "", page)
    case .imageTooLarge(let name, let width, let height, let limit):
      self.init(16, name, width, height, limit)
    case .imageDamaged(let name): self.init(17, name)
    case .entryTooLarge(let name, let limit): self.init(18, name, limit)
    case .archiveTooLarge(let limit): self.init(19, "", limit)
    case .tooManyEntries(let limit): self.init(20, "", limit)
    case .ratio(let name, let limit): self.init(21, name, limit)
    case .nestedArchive(let name): self.init(22, name)
    case .tookTooLong(let page): self.init(23, "", page ?? -1)
    case .neededTooMuchMemory(let page): self.init(24, "", page ?? -1)
    case .stopped(let page): self.init(25, "", page ?? -1)
    case .unconfined(let call): self.init(26, call)
    case .badRequest(let why): self.init(27, why)
    case .busy: self.init(28)
    case .unreadable(let name, let reason): self.init(29, name + "\n" + reason)
    case .closing: self.init(30)
    case .engineFailed(let step): self.init(31, step)
    case .unknownImage(let name): self.init(32, name)
    case .fontMissing(let page): self.init(33, "", page)
    case .dynamicForm: self.init(34)
    }
  }

  /// The decoded fault; nil if the code or a number is invalid.
  var fault: PressFault? {
    switch code {
    case 1: .encrypted
    case 2: .wrongPassword
    case 3: format.map { .encryptedArchive($0) }
    case 4: format.map { .damaged($0) }
    case 5: .unsupported(text)
    case 6: format.map { .unsupportedArchive($0) }
    case 8: .engineMissing
    case 9: .protected
    case 10: .fileTooLarge(bytes: numbers[0], limit: numbers[1])
    case 11: .tooManyPages(numbers[0], limit: numbers[1])
    case 12: format.map { .noPages($0) }
    case 13: .noSuchPage(numbers[0], count: numbers[1])
    case 14: .pageTooLarge(numbers[0])
    case 15: .pageDamaged(numbers[0])
    case 16: .imageTooLarge(name: text, width: numbers[0], height: numbers[1], limit: numbers[2])
    case 17: .imageDamaged(name: text)
    case 18: .entryTooLarge(name: text, limit: numbers[0])
    case 19: .archiveTooLarge(limit: numbers[0])
    case 20: .tooManyEntries(limit: numbers[0])
    case 21: .ratio(name: text, limit: numbers[0])
    case 22: .nestedArchive(name: text)
    case 23: .tookTooLong(page: page)
    case 24: .neededTooMuchMemory(page: page)
    case 25: .stopped(page: page)
    case 26: .unconfined(text)
    case 27: .badRequest(text)
    case 28: .busy
    case 29: unreadable
    case 30: .closing
    case 31: .engineFailed(text)
    case 32: .unknownImage(name: text)
    case 33: .fontMissing(page: numbers[0])
    case 34: .dynamicForm
    default: nil
    }
  }

  private var format: DocumentFormat? {
    UInt8(exactly: numbers[0]).flatMap(DocumentFormat.init(rawValue:))
  }

  private var unreadable: PressFault {
    // A name may contain a line break, a reason does not.
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    let name = parts.dropLast().joined(separator: "\n")
    return .unreadable(name: name, reason: parts.last.map(String.init) ?? "")
  }

  private var page: Int? { numbers[0] < 0 ? nil : numbers[0] }
}

extension PressFault {
  /// Whether only the server reports this fault.
  private var isServers: Bool {
    switch self {
    case .busy, .unreadable, .closing: true
    case .encrypted, .wrongPassword, .encryptedArchive, .damaged, .unsupported, .unsupportedArchive,
      .engineMissing, .engineFailed, .protected, .fileTooLarge, .tooManyPages, .noPages,
      .noSuchPage, .pageTooLarge, .pageDamaged, .imageTooLarge, .unknownImage, .imageDamaged,
      .entryTooLarge, .archiveTooLarge, .tooManyEntries, .ratio, .nestedArchive, .tookTooLong,
      .neededTooMuchMemory, .stopped, .unconfined, .badRequest, .fontMissing, .dynamicForm:
      false
    }
  }

  func coded(by c: inout PressCoder) throws(ByteError) -> PressFault {
    var record = FaultRecord(self)
    record.code = try c.number(record.code, "fault")
    record.text = try c.line(record.text, "fault's text", PressText.reason)
    for place in record.numbers.indices {
      let number = try c.number(Int64(record.numbers[place]), "fault's number")
      record.numbers[place] = Int(number)
    }
    let fault = record.fault
    try c.check(fault?.isServers == false, .unknownValue(field: "fault", value: record.code))
    return fault ?? self
  }
}
