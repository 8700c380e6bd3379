package wire

import "github.com/pcatdev/pcat/pcore"

// Texts makes Strings, and gives out the same one for a short text that
// repeats: keys, names of types, tags. That takes no memory, and no time of
// the garbage collector. What it gives out refers to no input. The zero value
// is ready to use.
type Texts struct {
	// recent has at most one text of each hash. It is made when there were
	// enough texts for it to be worth its own memory.
	recent []pcore.Value
	made   int
}

const (
	sharedBits = 9
	// maxShared is how long a text is that is worth looking for.
	maxShared = 32
	// minTexts is how many texts there are before any is looked for.
	minTexts = 128
)

// Value returns text as a String.
func (t *Texts) Value(text []byte) pcore.Value {
	if len(text) > maxShared || !t.ready() {
		return pcore.String(text)
	}
	const golden = 0x9e3779b97f4a7c15 // spreads the bits of a text over the upper ones
	slot := &t.recent[signOf(text)*golden>>(64-sharedBits)]
	if known, ok := (*slot).(pcore.String); ok && string(known) == string(text) {
		return *slot
	}
	*slot = pcore.String(text)
	return *slot
}

func (t *Texts) ready() bool {
	if t.recent != nil {
		return true
	}
	if t.made++; t.made < minTexts {
		return false
	}
	t.recent = make([]pcore.Value, 1<<sharedBits)
	return true
}
