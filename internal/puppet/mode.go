package puppet

import (
	"strconv"
	"strings"
)

// octal returns a mode in octal digits without zeros in front, and another mode as it is.
func octal(mode string) string {
	if n, ok := octalMode(mode); ok {
		return strconv.FormatUint(n, 8)
	}
	return mode
}

// octalMode returns the number of a mode in octal digits.
func octalMode(mode string) (uint64, bool) {
	n, err := strconv.ParseUint(mode, 8, 16)
	return n, err == nil
}

// ApplyMode returns the permissions that a file with the permissions old gets from a mode, as
// `mode` of a File has it: octal digits, or changes such as `u=rw,go-w`. Who may read a
// directory with an octal mode may also enter it, as in Puppet. It reports false for a mode that
// Puppet refuses.
func ApplyMode(old uint64, mode string, directory bool) (uint64, bool) {
	if n, ok := octalMode(mode); ok {
		if directory {
			n |= n & 0o444 >> 2
		}
		return n, true
	}
	f := fileMode{special: old >> 9, users: [3]uint64{old >> 6 & 7, old >> 3 & 7, old & 7}, directory: directory, executable: old&0o111 != 0}
	for part := range strings.SplitSeq(mode, ",") {
		if !f.apply(strings.TrimSpace(part)) {
			return 0, false
		}
	}
	return f.special<<9 | f.users[0]<<6 | f.users[1]<<3 | f.users[2], true
}

// fileMode are the permissions of a file, taken apart.
type fileMode struct {
	special               uint64
	users                 [3]uint64 // of the owner, the group, and others
	directory, executable bool
}

const (
	users       = "ugo"
	permissions = "xwr" // by their bits
)

// apply makes the changes of one part of a symbolic mode. It reports false if there are none.
func (f *fileMode) apply(part string) bool {
	changes := strings.TrimLeft(part, "ugoa")
	to := strings.ReplaceAll(part[:len(part)-len(changes)], "a", users)
	if to == "" {
		to = users
	}
	if changes == "" || !strings.ContainsRune("-+=", rune(changes[0])) {
		return false
	}
	before := f.users
	for who := range f.users {
		if strings.IndexByte(to, users[who]) >= 0 && !f.change(who, changes, before) {
			return false
		}
	}
	return true
}

// change makes changes for one of the users. before are the permissions of all.
func (f *fileMode) change(who int, changes string, before [3]uint64) bool {
	action := byte('+')
	bits := before[who]
	set := func(of, bit uint64) uint64 {
		if action == '-' {
			return of &^ bit
		}
		return of | bit
	}
	for i := range len(changes) {
		c := changes[i]
		switch c {
		case '-', '+':
			action = c
		case '=':
			action, bits = c, 0
		case 'u', 'g', 'o':
			bits = set(bits, before[strings.IndexByte(users, c)])
		case 'x', 'w', 'r':
			bits = set(bits, 1<<strings.IndexByte(permissions, c))
		case 'X':
			if action != '+' {
				return false
			}
			if f.directory || f.executable {
				bits |= 1
			}
		case 's':
			f.special = set(f.special, [3]uint64{4, 2, 1}[who])
		case 't':
			f.special = set(f.special, 1)
		default:
			return false
		}
	}
	f.users[who] = bits
	return true
}
