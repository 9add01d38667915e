import Commands
import Glibc

exit(LecternCommand.run(Array(CommandLine.arguments.dropFirst())))
