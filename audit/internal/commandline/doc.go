// Package commandline finds the secrets that command lines pass to programs.
//
//	Text   a text with command lines: a script, or lines and members that look like commands
//	       (commandline.go)
//	Sink   takes the values in them, and the texts that they write (commandline.go)
//	Words  the words of the current command lines (commandline.go, argument.go)
//
// A line is split into simple commands and pipes (shell.go). The secret is the argument of an
// option (option.go), or the table of programs in package knowledge has its position
// (usage.go, program.go). Passwords may also be piped to programs, or be written to files
// (input.go).
package commandline
