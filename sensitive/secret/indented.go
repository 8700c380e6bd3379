package secret

import "bytes"

// mostIndent is by how many blanks a line of a secret may be indented where it is
// found though its lines are indented otherwise.
const mostIndent = 64

// lineOf is a line of a secret, which begins at off.
type lineOf struct {
	secret uint32
	off    int
}

// longestLine returns the longest line of a secret that another one follows, with
// its end and without its indent, and where it begins.
func longestLine(secret []byte) (line []byte, off int) {
	for at := 0; ; {
		n := bytes.IndexByte(secret[at:], '\n') + 1
		if n == 0 {
			return line, off
		}
		next := secret[at : at+n]
		if at > 0 {
			next = bytes.TrimLeft(next, " \t")
		}
		at += n
		if len(next) > len(line) {
			line, off = next, at-len(next)
		}
	}
}

// indented returns where a secret stands in the text whose lines, but for the first,
// may be indented otherwise than its own: in a block of YAML, or in a here
// document. What stands at off in the secret stands at at, unless ok is false.
func (v *verifier) indented(at int, secret []byte, off int) (start, end int, ok bool) {
	if end, ok = v.indentedBehind(at, secret[off:]); !ok {
		return 0, 0, false
	}
	start, ok = v.indentedBefore(at, secret[:off])
	return start, end, ok
}

// indentedBehind returns where in text the secret ends that begins at i.
func (v *verifier) indentedBehind(i int, secret []byte) (end int, ok bool) {
	text := v.text
	for len(secret) > 0 {
		line := secret
		n := bytes.IndexByte(secret, '\n')
		if n >= 0 {
			line = secret[:n+1]
		}
		if v.budget -= len(line); v.budget < 0 || !bytes.HasPrefix(text[i:], line) {
			return 0, false
		}
		i += len(line)
		if secret = secret[len(line):]; len(secret) == 0 {
			break
		}
		v.budget -= len(secret)
		secret = bytes.TrimLeft(secret, " \t")
		v.budget += len(secret)
		for most := i + mostIndent; i < min(most, len(text)) && isBlank(text[i]); {
			i++
		}
	}
	return i, true
}

// indentedBefore returns where in text the secret begins that ends before i.
func (v *verifier) indentedBefore(i int, secret []byte) (start int, ok bool) {
	text := v.text
	for len(secret) > 0 {
		n := bytes.LastIndexByte(secret, '\n') + 1
		line := secret[n:]
		if n > 0 {
			line = bytes.TrimLeft(line, " \t")
		}
		if v.budget -= len(line); v.budget < 0 || !bytes.HasSuffix(text[:i], line) {
			return 0, false
		}
		i -= len(line)
		if n == 0 {
			break
		}
		for least := i - mostIndent; i > max(least, 0) && isBlank(text[i-1]); {
			i--
		}
		if i == 0 || text[i-1] != '\n' {
			return 0, false
		}
		i--
		secret = secret[:n-1]
	}
	return i, true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
