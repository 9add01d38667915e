internal import Notices
internal import Telemetry

// The log of uploads. It does not contain the id of an upload, because anybody who knows the id can
// continue the upload.
extension Uploads {
  /// Reports whether an announced file was accepted.
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
        ["file": .text(name), "bytes": .count(size), "reason": .text(fault.notice.message)],
        collapsing: fault.isOfDisk ? "upload.disk" : nil
      )
    }
  }

  /// Reports that an accepted file could not be stored.
  func report(_ fault: UploadFault, name: String) {
    log.error(
      .uploadFailed,
      "An upload could not be stored.",
      ["file": .text(name), "reason": .text(fault.notice.message)],
      collapsing: "upload.store"
    )
  }
}

extension UploadFault {
  /// Whether the cause is the disk, so that the operator must act.
  fileprivate var isOfDisk: Bool {
    switch self {
    case .disk, .noRoom: true
    default: false
    }
  }
}
