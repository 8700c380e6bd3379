package token

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// shape is the form of a token, a sequence of literals and character classes:
// `SG.{base64url:22}.{base64url:43}`.
type shape []piece

// piece is a literal, or a number of characters of an alphabet.
type piece struct {
	text        string
	in          alphabet.Alphabet
	table       *alphabet.Table
	least, most int
}

// uuidShape replaces `{uuid}` in a shape.
const uuidShape = "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"

// tables are the tables of the alphabets of shapes.
type tables map[alphabet.Alphabet]*alphabet.Table

// of returns the table of an alphabet.
func (t tables) of(a alphabet.Alphabet) *alphabet.Table {
	if t[a] == nil {
		t[a] = alphabet.NewTable(a)
	}
	return t[a]
}

// parseShape parses the second column of knowledge/tokens.txt.
func parseShape(text string, t tables) (shape, error) {
	var s shape
	for text = strings.ReplaceAll(text, "{uuid}", uuidShape); text != ""; {
		before, rest, found := strings.Cut(text, "{")
		if before != "" {
			s = append(s, piece{text: before, least: len(before), most: len(before)})
		}
		if !found {
			break
		}
		var class string
		if class, text, found = strings.Cut(rest, "}"); !found {
			return nil, fmt.Errorf("no } behind {%s", rest)
		}
		p, err := parseClass(class)
		if err != nil {
			return nil, err
		}
		p.table = t.of(p.in)
		s = append(s, p)
	}
	return s, nil
}

// parseClass parses `alphabet:least-most`.
func parseClass(text string) (p piece, err error) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return p, fmt.Errorf("{%s} has no length", text)
	}
	name := strings.TrimRight(text[:colon], ":-_.~+/=@?&%$, ")
	if p.in = alphabet.Named[name]; p.in == "" {
		return p, fmt.Errorf("{%s}: there is no alphabet %q", text, name)
	}
	p.in += alphabet.Alphabet(text[len(name):colon])
	least, most, ranged := strings.Cut(text[colon+1:], "-")
	if p.least, err = strconv.Atoi(least); err != nil {
		return p, err
	}
	if p.most = p.least; ranged {
		p.most, err = strconv.Atoi(most)
	}
	return p, err
}

// fits reports whether a text has the shape.
func (s shape) fits(text string) bool {
	if len(s) == 0 {
		return text == ""
	}
	p := &s[0]
	if p.text != "" {
		rest, found := strings.CutPrefix(text, p.text)
		return found && s[1:].fits(rest)
	}
	n := 0
	for n < min(len(text), p.most) && p.table[text[n]] {
		n++
	}
	for ; n >= p.least; n-- {
		if s[1:].fits(text[n:]) {
			return true
		}
	}
	return false
}

// lengths returns the minimum and the maximum length of a text of the shape.
func (s shape) lengths() (least, most int) {
	for _, p := range s {
		least += p.least
		most += p.most
	}
	return least, most
}

// union returns the table of all characters of the shape, or nil if the shape is empty.
func (s shape) union() *alphabet.Table {
	switch {
	case len(s) == 0:
		return nil
	case len(s) == 1 && s[0].table != nil:
		return s[0].table
	}
	u := new(alphabet.Table)
	for _, p := range s {
		u.Add(p.text)
		if p.table != nil {
			u.Join(p.table)
		}
	}
	return u
}

// longest returns the index of the longest literal.
func (s shape) longest() int {
	at := 0
	for i := range s {
		if len(s[i].text) > len(s[at].text) {
			at = i
		}
	}
	return at
}
