package yamlwire

import (
	"strings"
	"unicode/utf8"
)

// directive scans a line with a directive.
func (s *scanner) directive() error {
	s.unroll(-1)
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	s.keyAllowed = false
	t := token{location: s.here()}
	start := s.pos
	s.pos++
	switch name := s.word(); {
	case !s.endsWordAt(s.pos):
		return s.fail(start, "found an unexpected character in a directive")
	case name == "YAML":
		t.kind = versionDirective
		s.skipBlanks()
		t.text = s.version()
		if t.text == "" {
			return s.fail(start, "did not find a version number in %YAML")
		}
	case name == "TAG":
		t.kind = tagDirective
		s.skipBlanks()
		t.text = s.tagHandle()
		if t.text == "" || t.text != "!" && !strings.HasSuffix(t.text[1:], "!") || !s.isBlankAt(s.pos) {
			return s.fail(start, "did not find a tag handle in %TAG")
		}
		s.skipBlanks()
		var err error
		if t.suffix, err = s.tagText(nil, true); err != nil {
			return err
		}
		if t.suffix == "" || !s.endsWordAt(s.pos) {
			return s.fail(start, "did not find a tag prefix in %TAG")
		}
	default:
		return s.fail(start, "found an unknown directive")
	}
	s.tokens = append(s.tokens, t)
	return s.endLine()
}

// version scans a version number, without leading zeros, or returns "".
func (s *scanner) version() string {
	major := s.number()
	if major == "" || s.at(s.pos) != '.' {
		return ""
	}
	s.pos++
	minor := s.number()
	if minor == "" {
		return ""
	}
	return major + "." + minor
}

func (s *scanner) number() string {
	const longest = 9
	start := s.pos
	for c := s.at(s.pos); '0' <= c && c <= '9'; c = s.at(s.pos) {
		s.pos++
	}
	if n := s.pos - start; n == 0 || n > longest {
		return ""
	}
	return strings.TrimLeft(string(s.text[start:s.pos-1]), "0") + string(s.text[s.pos-1])
}

// tag scans a tag: !<verbatim>, !handle!suffix, !suffix or !.
func (s *scanner) tag() error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.keyAllowed = false
	t := token{kind: tagName, location: s.here()}
	start := s.pos
	var err error
	if s.at(s.pos+1) == '<' {
		s.pos += 2
		if t.suffix, err = s.tagText(nil, true); err != nil {
			return err
		}
		if t.suffix == "" || s.at(s.pos) != '>' {
			return s.fail(start, "did not find the tag that '!<' begins")
		}
		s.pos++
	} else {
		t.text = s.tagHandle()
		if len(t.text) > 1 && strings.HasSuffix(t.text, "!") {
			if t.suffix, err = s.tagText(nil, false); err == nil && t.suffix == "" {
				err = s.fail(start, "did not find a tag behind its handle")
			}
		} else {
			t.suffix, err = s.tagText([]byte(t.text[1:]), false)
			t.text = "!"
			if t.suffix == "" {
				t.text, t.suffix = "", "!"
			}
		}
		if err != nil {
			return err
		}
	}
	if !s.endsWordAt(s.pos) && (!s.inFlow() || s.at(s.pos) != ',') {
		return s.fail(s.pos, "did not find whitespace behind a tag")
	}
	s.tokens = append(s.tokens, t)
	return nil
}

// tagHandle scans an exclamation mark, a word, and a second exclamation mark if it is
// there. It returns "" if there is no exclamation mark.
func (s *scanner) tagHandle() string {
	start := s.pos
	if s.at(s.pos) != '!' {
		return ""
	}
	s.pos++
	s.word()
	if s.at(s.pos) == '!' {
		s.pos++
	}
	return string(s.text[start:s.pos])
}

// tagText scans characters of a URI behind head, and decodes escaped ones.
func (s *scanner) tagText(head []byte, verbatim bool) (string, error) {
	for {
		c := s.at(s.pos)
		switch {
		case c == '%':
			var err error
			if head, err = s.percent(head); err != nil {
				return "", err
			}
			continue
		case isWord(c), c != 0 && strings.IndexByte(";/?:@&=+$.!~*'()", c) >= 0,
			verbatim && (c == ',' || c == '[' || c == ']'):
			head = append(head, c)
			s.pos++
			continue
		}
		return string(head), nil
	}
}

// percent appends a character that is written as percent signs and hexadecimal
// digits.
func (s *scanner) percent(text []byte) ([]byte, error) {
	start, from := s.pos, len(text)
	for width := 1; len(text)-from < width; s.pos += 3 {
		high, ok := hexDigit(s.at(s.pos + 1))
		low, alsoOK := hexDigit(s.at(s.pos + 2))
		if s.at(s.pos) != '%' || !ok || !alsoOK {
			return text, s.fail(start, "did not find an escaped character of a tag")
		}
		c := high<<4 | low
		switch {
		case len(text) > from || c < 0x80: // one of several bytes, or the only one
		case c&0xe0 == 0xc0:
			width = 2
		case c&0xf0 == 0xe0:
			width = 3
		case c&0xf8 == 0xf0:
			width = 4
		}
		text = append(text, c)
	}
	if !utf8.Valid(text[from:]) {
		return text, s.fail(start, "found an invalid escaped character of a tag")
	}
	return text, nil
}
