package commandline

import "strings"

// wrapper describes a program that runs the command among its arguments.
type wrapper struct {
	// valued are the options that take an argument, which is the next word.
	valued string
	// operands is the number of words between the options and the command.
	operands int
}

// wrappers are the programs that run the command after their options, with the same standard
// input.
var wrappers = map[string]wrapper{
	"busybox":  {},
	"chroot":   {operands: 1},
	"command":  {},
	"doas":     {valued: "-u -C"},
	"env":      {valued: "-u -C --unset --chdir"}, // see also splitString
	"exec":     {valued: "-a"},
	"flock":    {valued: "-w -E --timeout --conflict-exit-code", operands: 1},
	"gosu":     {operands: 1},
	"ionice":   {valued: "-c -n --class --classdata"},
	"nice":     {valued: "-n --adjustment"},
	"nohup":    {},
	"pkexec":   {valued: "--user"},
	"runuser":  {valued: "-u -g -G -s --user --group --supp-group --shell"},
	"setsid":   {},
	"stdbuf":   {valued: "-i -o -e --input --output --error"},
	"su-exec":  {operands: 1},
	"sudo":     {valued: "-u -g -h -p -C -D -R -r -t -T -U --user --group --host --prompt --close-from --chdir --chroot --role --type --command-timeout --other-user"},
	"time":     {valued: "-f -o --format --output"},
	"timeout":  {valued: "-k -s --kill-after --signal", operands: 1},
	"unbuffer": {},
	"xargs":    {valued: "-a -d -E -I -L -n -P -s --arg-file --delimiter --replace --max-lines --max-args --max-procs --max-chars"},
}

// splitString searches the words that env splits, as in `env -S "PGPASSWORD=X psql"`, and reports whether there are any.
// The kernel passes the words of the first line of a script as one.
func (t *Text) splitString(words []argument) bool {
	if program(words[0].text) != "env" {
		return false
	}
	for i := 1; i < len(words) && strings.HasPrefix(words[i].text, "-"); i++ {
		w := &words[i]
		switch {
		case strings.HasPrefix(w.text, "--split-string="):
			t.within(w, len("--split-string="))
		case strings.HasPrefix(w.text, "-S") && len(w.text) > len("-S"):
			t.within(w, len("-S"))
		case i+1 < len(words) && (w.text == "--split-string" || w.text == "-S" || bundles([]string{"-S"}, w.text)):
			if !strings.Contains(words[i+1].text, " ") {
				return false
			}
			t.within(&words[i+1], 0)
		default:
			continue
		}
		return true
	}
	return false
}

// sshOptions are the options of ssh that take an argument.
const sshOptions = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"

// withoutWrappers returns a command without the programs that run it, such as sudo or nice.
func withoutWrappers(words []argument) []argument {
	for {
		inner := unwrapped(words)
		if len(inner) == 0 {
			return words
		}
		words = inner
	}
}

// unwrapped returns the command that a wrapper runs, or nil if there is none. It may begin
// with variables.
func unwrapped(words []argument) []argument {
	if len(words) < 2 {
		return nil
	}
	name := program(words[0].text)
	w, known := wrappers[name]
	if !known || name == "runuser" && !runsAs(words) {
		return nil
	}
	rest := afterOptions(words[1:], w.valued)
	for n := w.operands; n > 0 && len(rest) > 0; n-- {
		rest = rest[1:]
	}
	return rest
}

// runsAs reports whether runuser has an option for the user, and so runs the command after
// its options.
func runsAs(words []argument) bool {
	for i := 1; i < len(words) && strings.HasPrefix(words[i].text, "-"); i++ {
		if w := words[i].text; w == "-u" || strings.HasPrefix(w, "--user") {
			return true
		}
	}
	return false
}

// afterOptions returns the words after the options and their arguments.
func afterOptions(words []argument, valued string) []argument {
	for len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
		w := words[0].text
		words = words[1:]
		if w == "--" {
			break
		}
		if listed(valued, w) && len(words) > 0 {
			words = words[1:]
		}
	}
	return words
}

// readerOf returns the command that reads a password from the standard input of a command:
// the command itself, or the one that it runs. It returns nil if there is none.
func readerOf(words []argument) []argument {
	const deepest = 8 // commands inside each other
	var reader []argument
	for range deepest {
		for len(words) > 1 && isVariable(words[0].text) {
			words = words[1:]
		}
		if len(words) == 0 {
			break
		}
		if takesPassword(words) {
			reader = words
		}
		words = inside(words)
	}
	return reader
}

// inside returns the command that a command runs with its standard input, or nil.
func inside(words []argument) []argument {
	name := program(words[0].text)
	if name == "xargs" {
		return nil // reads arguments
	}
	if inner := unwrapped(words); len(inner) > 0 {
		return inner
	}
	switch name {
	case "sh", "bash", "dash", "ksh", "zsh", "ash", "su", "runuser", "script":
		for i := 1; i+1 < len(words); i++ {
			if w := words[i].text; w == "--command" || bundles([]string{"-c"}, w) || w == "-c" {
				return firstReader(words[i+1].text)
			}
		}
	case "ssh":
		rest := afterOptions(words[1:], sshOptions)
		switch {
		case len(rest) == 2:
			return firstReader(rest[1].text)
		case len(rest) > 2:
			return rest[1:]
		}
	}
	return elsewhere(words)
}

// firstReader returns the first simple command of a line that reads a password, or nil.
func firstReader(line string) []argument {
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";&|()", r) }) {
		if words := readerOf(simple(part)); len(words) > 0 {
			return words
		}
	}
	return nil
}

// runsElsewhere reports whether a program runs a command in quotes on other machines.
func runsElsewhere(name string) bool {
	switch name {
	case "ssh", "pdsh", "clush", "pssh", "parallel-ssh", "dsh", "mussh", "rsh", "ansible", "salt":
		return true
	}
	return false
}

// elsewhere returns the command that another command runs elsewhere: after `--`, or in a
// container. It returns nil if there is none.
func elsewhere(words []argument) []argument {
	for i := range words {
		if words[i].text == "--" {
			return words[i+1:]
		}
	}
	switch program(words[0].text) {
	case "docker", "podman", "lxc", "nerdctl", "docker-compose":
		for i := 1; i+2 < len(words); i++ {
			if words[i].text != "exec" {
				continue
			}
			rest := afterOptions(words[i+1:], "-e --env -u --user -w --workdir --index -n")
			return rest[min(1, len(rest)):] // after the name of the container
		}
	}
	return nil
}
