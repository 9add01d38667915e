internal import Press

Press.run(Array(CommandLine.arguments.dropFirst()))
