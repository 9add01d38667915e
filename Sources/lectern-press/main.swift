internal import Press

DocumentPress.run(Array(CommandLine.arguments.dropFirst()))
