package dataconv

import "github.com/pcatdev/pcat/pcore"

// Path returns the path to the current position, in terms of the decoded values
// as far as they are known. It ends at the outermost Sensitive, because the
// keys inside may be secret.
func (b *Builder) Path() pcore.Path { return b.path(len(b.frames)) }

// path returns the path to the current position in the innermost of the first n
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

// secret reports whether the current position is inside a Sensitive.
func (b *Builder) secret() bool {
	for i := range b.frames {
		if step, _ := b.step(i); step.Kind == pcore.StepSecret {
			return true
		}
	}
	return false
}

// step returns the step into frame i. It returns false if the step of the inner
// frame includes it: the members of a Hash list and the arguments of a Deferred
// have an array of their own.
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

// MayBeSecret reports whether the member of a map at key may be the contents of
// a Sensitive. typ is the `__ptype` if it has been read. Because `__ptype` may
// follow `__pvalue`, a `__pvalue` may be secret unless the type is known to be
// Hash.
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

// Unbegun removes the last pushed key if it has no value. The input does not
// continue with a value, so it may not have been a key.
func (b *Builder) Unbegun() {
	if len(b.frames) == 0 {
		return
	}
	f := &b.frames[len(b.frames)-1]
	if last := len(b.members) - 1; f.isMap && (last-f.start)%2 == 0 {
		b.members, b.offsets = b.members[:last], b.offsets[:len(b.offsets)-1]
	}
}

// role returns "Hash" if frame i is the list of a Hash, and "Deferred" if it is
// the arguments of a Deferred.
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

// open returns the members of frame i read so far; a map has keys and values in
// turn.
func (b *Builder) open(i int) []pcore.Value {
	end := len(b.members)
	if i+1 < len(b.frames) {
		end = b.frames[i+1].start
	}
	return b.members[b.frames[i].start:end]
}
