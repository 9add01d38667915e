internal import CCrypto
internal import Foundation

/// The time for which a certificate is valid, read from a PEM file.
struct CertificateDates: Equatable {
  let from: Date
  let until: Date

  /// Reads the first certificate of a file; nil if there is none that can be read.
  init?(pem text: String) {
    var bytes = Array(text.utf8)
    guard let file = BIO_new_mem_buf(&bytes, Int32(clamping: bytes.count)) else { return nil }
    defer { BIO_free(file) }
    // A file that asks for a password has none.
    let certificate = PEM_read_bio_X509(file, nil, { _, _, _, _ in 0 }, nil)
    guard let certificate else { return nil }
    defer { X509_free(certificate) }
    guard let from = Self.date(X509_get0_notBefore(certificate)),
      let until = Self.date(X509_get0_notAfter(certificate))
    else { return nil }
    (self.from, self.until) = (from, until)
  }

  private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Date(timeIntervalSince1970: Double(timegm(&parts)))
  }
}
