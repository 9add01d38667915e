internal import Telemetry

// What is logged of uploads. An upload's id is not: whoever knows it can go on with it.
extension Uploads {
  /// Reports what became of an announcement.
  func report(_ result: Result<Upload, UploadFault>, name: String, size: Int) {
    switch result {
    case .success(let upload):
      log.info(
        .uploadAccepted,
        "An upload is accepted.",
        ["file": .text(upload.name), "bytes": .count(upload.size)]
      )
    case .failure(let fault):
      log.write(
        fault.isOfDisk ? .error : .warning,
        .uploadRejected,
        "An upload is rejected.",
        ["file": .text(name), "bytes": .count(size), "reason": .text(fault.message)]
      )
    }
  }

  /// Reports that an upload was lost on its way.
  func report(_ fault: UploadFault, name: String) {
    log.error(
      .uploadFailed,
      "An upload could not be kept.",
      ["file": .text(name), "reason": .text(fault.message)]
    )
  }
}

extension UploadFault {
  /// Whether whoever runs the server has to do something about it.
  fileprivate var isOfDisk: Bool {
    switch self {
    case .disk, .noRoom: true
    default: false
    }
  }
}
