internal import Glibc

/// The fonts with Chinese, Japanese and Korean letters for PDFs that do not contain theirs.
enum FallbackFonts {
  /// The files of Debian's packages fonts-droid-fallback and fonts-noto-cjk.
  private static let files = [
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
  ]

  /// The arguments for a press: only without these files does it look for others, which takes
  /// 10 ms.
  static var arguments: [String] {
    files.contains { access($0, R_OK) == 0 } ? [] : ["--check-fonts"]
  }
}
