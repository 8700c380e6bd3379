package page

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// Rule is a rule in the data of a page with findings.
type Rule struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Class    string `json:"class"`
	Severity string `json:"severity"`
	CWE      int    `json:"cwe,omitempty"`
	Doc      string `json:"doc,omitempty"`
	Remedy   string `json:"remedy,omitempty"`
	Wrong    string `json:"wrong,omitempty"`
	Right    string `json:"right,omitempty"`
}

// Numbers numbers different values in the order of their first use, so that the data of a page has
// each one once. The zero value has none.
type Numbers[T comparable] struct {
	List  []T
	known map[T]int
}

// Grow makes room for a number of values that are new.
func (n *Numbers[T]) Grow(size int) {
	known := make(map[T]int, len(n.known)+size)
	maps.Copy(known, n.known)
	n.List, n.known = slices.Grow(n.List, size), known
}

// Of returns the number of a value.
func (n *Numbers[T]) Of(v T) int {
	i, ok := n.known[v]
	if !ok {
		if n.known == nil {
			n.known = map[T]int{}
		}
		i = len(n.List)
		n.known[v], n.List = i, append(n.List, v)
	}
	return i
}

// Comma writes a comma before all elements of a list but the first one.
func (m Markup) Comma(i int) {
	if i > 0 {
		m.Print(",")
	}
}

// Row writes numbers as an array of JSON.
func (m Markup) Row(numbers ...int) {
	b := m.AvailableBuffer()
	for i, n := range numbers {
		b = strconv.AppendInt(append(b, "[,"[min(i, 1)]), int64(n), 10)
	}
	_, _ = m.Write(append(b, ']')) // as Print
}

// Texts writes the elements of an array of texts in JSON.
func (m Markup) Texts(list []string) error {
	for i, s := range list {
		m.Comma(i)
		if !strings.ContainsAny(s, "<\x7f") {
			if text, ok := jsonwire.AppendPlain(m.AvailableBuffer(), s); ok { // most texts
				_, _ = m.Write(text) // as Print
				continue
			}
		}
		text, err := JSON(s)
		if err != nil {
			return err
		}
		_, _ = m.Write(text)
	}
	return nil
}
