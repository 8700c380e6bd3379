package richdata

import "github.com/pcatdev/pcat/pcore"

// Path returns the path to what is being read, in terms of the values that
// the data stands for as far as that is known by then. It ends at the
// outermost Sensitive: the keys inside one may be secret, too.
func (b *Builder) Path() pcore.Path { return b.path(len(b.frames)) }

// path returns the path to what is read in the innermost of the first n
// frames.
func (b *Builder) path(n int) pcore.Path {
	var p pcore.Path
	for i := range n {
		step, ok := b.step(i)
		if ok {
			p = append(p, step)
		}
		if step.Kind == pcore.StepSecret {
			break
		}
	}
	return p
}

// secret reports whether what is being read stands inside a Sensitive.
func (b *Builder) secret() bool {
	for i := range b.frames {
		if step, _ := b.step(i); step.Kind == pcore.StepSecret {
			return true
		}
	}
	return false
}

// step returns the step that leads into frame i, and false when the step of
// the frame within says it all: the members of a Hash list and the arguments
// of a Deferred stand in an array of their own.
func (b *Builder) step(i int) (pcore.Step, bool) {
	f := &b.frames[i]
	if f.isMap {
		return b.memberStep(i)
	}
	n := len(b.elems[f.start:b.end(i, false)])
	switch b.role(i) {
	case "Hash":
		if n%2 == 0 {
			return pcore.Step{Kind: pcore.StepKey, Index: n / 2, Key: pcore.Undef{}, Listed: true}, true
		}
		return pcore.Step{Kind: pcore.StepEntry, Index: n / 2, Key: b.elems[f.start+n-1], Listed: true}, true
	case "Deferred":
		return pcore.Step{Kind: pcore.StepArgument, Index: n}, true
	}
	return pcore.Step{Kind: pcore.StepIndex, Index: n}, true
}

func (b *Builder) memberStep(i int) (pcore.Step, bool) {
	entries := b.open(i)
	if len(entries) == 0 || entries[len(entries)-1].Value != nil {
		return pcore.Step{}, false // between two members
	}
	key := entries[len(entries)-1].Key
	typ := b.frames[i].typ
	switch {
	case typ == "" || key == pcore.String(TypeKey):
		return pcore.Step{Kind: pcore.StepEntry, Index: len(entries) - 1, Key: key}, true
	case key == pcore.String(ValueKey) && typ == "Sensitive":
		return pcore.Step{Kind: pcore.StepSecret}, true
	case i+1 < len(b.frames) && b.role(i+1) != "":
		return pcore.Step{}, false
	}
	return pcore.Step{Kind: pcore.StepAttribute, Index: len(entries) - 2, Key: key}, true
}

// role returns "Hash" when frame i is the list of a Hash, "Deferred" when it
// is the arguments of one.
func (b *Builder) role(i int) string {
	if i == 0 || b.frames[i].isMap || !b.frames[i-1].isMap {
		return ""
	}
	entries := b.open(i - 1)
	if len(entries) == 0 {
		return ""
	}
	key, typ := entries[len(entries)-1].Key, b.frames[i-1].typ
	if typ == "Hash" && key == pcore.String(ValueKey) || typ == "Deferred" && key == pcore.String("arguments") {
		return typ
	}
	return ""
}

// open returns the entries read so far of the map that is frame i.
func (b *Builder) open(i int) []pcore.Entry { return b.entries[b.frames[i].start:b.end(i, true)] }

// end returns where the members of frame i end: where those of the next frame
// of the same kind begin.
func (b *Builder) end(i int, isMap bool) int {
	for _, f := range b.frames[i+1:] {
		if f.isMap == isMap {
			return f.start
		}
	}
	if isMap {
		return len(b.entries)
	}
	return len(b.elems)
}
