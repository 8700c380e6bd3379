package secret

import "bytes"

// mostIndent is the maximum number of blanks by which a line of a secret may be indented
// in a text, whatever its own indentation.
const mostIndent = 64

// lineOf is a line of a secret that begins at off.
type lineOf struct {
	secret uint32
	off    int
}

// longestLine returns the longest line of a secret that is followed by another line, with
// its newline and without its indentation, and the offset of the line.
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

// indented returns the position of a secret in the text. Its lines, except the first, may
// be indented differently, as in a YAML block or a here document. Offset off of the
// secret corresponds to position at of the text. ok is false if the secret does not
// match.
func (v *verifier) indented(at int, secret []byte, off int) (start, end int, ok bool) {
	if end, ok = v.indentedBehind(at, secret[off:]); !ok {
		return 0, 0, false
	}
	start, ok = v.indentedBefore(at, secret[:off])
	return start, end, ok
}

// indentedBehind returns the end in the text of the secret that begins at i.
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

// indentedBefore returns the start in the text of the secret that ends at i.
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
