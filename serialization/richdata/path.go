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
	if b.frames[i].isMap {
		return b.memberStep(i)
	}
	members := b.open(i)
	n := len(members)
	switch b.role(i) {
	case "Hash":
		if n%2 == 0 {
			return pcore.Step{Kind: pcore.StepKey, Index: n / 2, Key: pcore.Undef{}, Listed: true}, true
		}
		return pcore.Step{Kind: pcore.StepEntry, Index: n / 2, Key: members[n-1], Listed: true}, true
	case "Deferred":
		return pcore.Step{Kind: pcore.StepArgument, Index: n}, true
	}
	return pcore.Step{Kind: pcore.StepIndex, Index: n}, true
}

func (b *Builder) memberStep(i int) (pcore.Step, bool) {
	members := b.open(i)
	n := len(members)
	if n%2 == 0 {
		return pcore.Step{}, false // between two members
	}
	key, typ := members[n-1], b.typeOf(&b.frames[i])
	switch {
	case MayBeSecret(key, typ):
		return pcore.Step{Kind: pcore.StepSecret}, true
	case typ == "" || key == pcore.String(TypeKey):
		return pcore.Step{Kind: pcore.StepEntry, Index: n / 2, Key: key}, true
	case i+1 < len(b.frames) && b.role(i+1) != "":
		return pcore.Step{}, false
	}
	return pcore.Step{Kind: pcore.StepAttribute, Index: n/2 - 1, Key: key}, true
}

// MayBeSecret reports whether the member of a map at a key may be what a Sensitive
// holds. typ is the `__ptype` as far as it was read: a map may have it behind its
// `__pvalue`, so that of what precedes it only a Hash is known to be none.
func MayBeSecret(key pcore.Value, typ string) bool {
	switch key {
	case pcore.String(TypeKey):
		return false
	case pcore.String(ValueKey):
		return typ != "Hash"
	default:
		return typ == "Sensitive"
	}
}

// Unbegun takes back a key that was pushed last, because the input has no value
// for it: it may be something else than a key.
func (b *Builder) Unbegun() {
	if len(b.frames) == 0 {
		return
	}
	f := &b.frames[len(b.frames)-1]
	if last := len(b.members) - 1; f.isMap && (last-f.start)%2 == 0 {
		b.members, b.offsets = b.members[:last], b.offsets[:len(b.offsets)-1]
	}
}

// role returns "Hash" when frame i is the list of a Hash, "Deferred" when it
// is the arguments of one.
func (b *Builder) role(i int) string {
	if i == 0 || b.frames[i].isMap || !b.frames[i-1].isMap {
		return ""
	}
	members := b.open(i - 1)
	if len(members)%2 == 0 {
		return ""
	}
	key, typ := members[len(members)-1], b.typeOf(&b.frames[i-1])
	if typ == "Hash" && key == pcore.String(ValueKey) || typ == "Deferred" && key == pcore.String("arguments") {
		return typ
	}
	return ""
}

// open returns the members read so far of frame i, of a map keys and values in
// turns.
func (b *Builder) open(i int) []pcore.Value {
	end := len(b.members)
	if i+1 < len(b.frames) {
		end = b.frames[i+1].start
	}
	return b.members[b.frames[i].start:end]
}
