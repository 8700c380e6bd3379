package syntax

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Locator turns byte offsets in one source text into lines and columns. The
// line table is made when it is first needed. A Locator may be used by several
// goroutines at once; it must not be copied.
type Locator struct {
	file string
	src  string

	once  sync.Once
	lines []int // offset of the first byte of each line
}

// NewLocator returns a Locator for the text src. The name file may be empty; it
// only appears in messages.
func NewLocator(file, src string) *Locator {
	return &Locator{file: file, src: src}
}

// File returns the name that the source was given, or "".
func (l *Locator) File() string { return l.file }

// Source returns the whole source text.
func (l *Locator) Source() string { return l.src }

// Position returns the line and the column of a byte offset. Both count from 1;
// the column counts characters, as Puppet does. An offset outside the text is
// moved to the nearest end.
func (l *Locator) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(l.src))
	n := l.lineIndex(offset)
	return n + 1, utf8.RuneCountInString(l.src[l.lines[n]:offset]) + 1
}

// Line returns the text of the line that holds a byte offset, without its end.
func (l *Locator) Line(offset int) string {
	offset = min(max(offset, 0), len(l.src))
	text := l.src[l.lines[l.lineIndex(offset)]:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, "\r")
}

// lineIndex returns the index, from 0, of the line that holds offset.
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
