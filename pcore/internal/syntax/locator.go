package syntax

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Locator converts byte offsets in one source text to lines and columns. It
// computes its line table on first use. A Locator is safe for concurrent use;
// it must not be copied.
type Locator struct {
	file string
	src  string

	once  sync.Once
	lines []int // offset of the first byte of each line
}

// NewLocator returns a Locator for the text src. The name file may be empty; it
// appears only in messages.
func NewLocator(file, src string) *Locator {
	return &Locator{file: file, src: src}
}

// File returns the name of the source, or "".
func (l *Locator) File() string { return l.file }

// Source returns the whole source text.
func (l *Locator) Source() string { return l.src }

// Position returns the line and the column of a byte offset. Both count from 1;
// the column counts characters, as in Puppet. An offset outside the text is
// clamped to it.
func (l *Locator) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(l.src))
	n := l.lineIndex(offset)
	return n + 1, utf8.RuneCountInString(l.src[l.lines[n]:offset]) + 1
}

// Line returns the line that contains a byte offset, without its line break.
func (l *Locator) Line(offset int) string {
	offset = min(max(offset, 0), len(l.src))
	text := l.src[l.lines[l.lineIndex(offset)]:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, "\r")
}

// lineIndex returns the index, from 0, of the line that contains offset.
func (l *Locator) lineIndex(offset int) int {
	l.once.Do(func() {
		l.lines = make([]int, 1, strings.Count(l.src, "\n")+1)
		for i := range len(l.src) {
			if l.src[i] == '\n' {
				l.lines = append(l.lines, i+1)
			}
		}
	})
	return sort.SearchInts(l.lines, offset+1) - 1
}
