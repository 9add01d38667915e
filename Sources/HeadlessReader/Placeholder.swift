// HeadlessReader
