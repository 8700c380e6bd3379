package match

import "bytes"

// mostIndent is by how many blanks a line of a secret may be indented where it is
// found though its lines are indented otherwise.
const mostIndent = 64

// hasLines reports whether a secret has several lines.
func hasLines(secret []byte) bool { return bytes.IndexByte(secret, '\n') >= 0 }

// indented returns where a secret stands in text whose lines, but for the first,
// may be indented otherwise than its own: in a block of YAML, or in a here
// document. What stands at off in the secret stands at at, unless ok is false.
func indented(text []byte, at int, secret []byte, off int) (start, end int, ok bool) {
	if end, ok = indentedBehind(text, at, secret[off:]); !ok {
		return 0, 0, false
	}
	start, ok = indentedBefore(text, at, secret[:off])
	return start, end, ok
}

// indentedBehind returns where in text the secret ends that begins at i.
func indentedBehind(text []byte, i int, secret []byte) (end int, ok bool) {
	for len(secret) > 0 {
		line := secret
		n := bytes.IndexByte(secret, '\n')
		if n >= 0 {
			line = secret[:n+1]
		}
		if !bytes.HasPrefix(text[i:], line) {
			return 0, false
		}
		i += len(line)
		if secret = secret[len(line):]; len(secret) == 0 {
			break
		}
		secret = bytes.TrimLeft(secret, " \t")
		for most := i + mostIndent; i < min(most, len(text)) && isBlank(text[i]); {
			i++
		}
	}
	return i, true
}

// indentedBefore returns where in text the secret begins that ends before i.
func indentedBefore(text []byte, i int, secret []byte) (start int, ok bool) {
	for len(secret) > 0 {
		n := bytes.LastIndexByte(secret, '\n') + 1
		line := secret[n:]
		if n > 0 {
			line = bytes.TrimLeft(line, " \t")
		}
		if !bytes.HasSuffix(text[:i], line) {
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
