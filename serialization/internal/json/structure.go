package json

import "fmt"

// separator reads the separator before a member of an array or map: nothing for
// the first member, a comma for others. It reports whether it read the closing
// bracket instead. Otherwise pos is at the member.
func (s *scanner) separator(closing byte, first bool) (end bool, err error) {
	c, err := s.peek()
	switch {
	case err != nil:
		return false, err
	case c == closing:
		s.pos++
		return true, nil
	case first:
		return false, nil
	case c != ',':
		return false, s.unexpected(fmt.Sprintf("a comma or %q", rune(closing)))
	}
	s.pos++
	c, err = s.peek()
	if err == nil && c == closing {
		return false, s.unexpected("a value after the comma")
	}
	return false, err
}

// key reads the key of a member. The text is valid until the next call.
func (s *scanner) key() ([]byte, error) {
	if s.Data[s.pos] != '"' {
		return nil, s.noKey()
	}
	return s.text()
}

func (s *scanner) noKey() error { return s.unexpected("a key in double quotes") }

// colon reads the colon between key and value.
func (s *scanner) colon() error {
	c, err := s.peek()
	if err == nil && c != ':' {
		err = s.unexpected("a colon")
	}
	if err != nil {
		return err
	}
	s.pos++
	return nil
}
