package json

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// validator moves over a value and makes nothing of it, with all the checks
// that decoding makes but those of types.
type validator struct {
	scanner
	depth      int // how many more levels are allowed
	duplicates bool
	keys       [][]byte // of all maps that are open
}

// fewKeys is the number of keys up to which comparing a key with each of them
// is faster than a set.
const fewKeys = 16

func (v *validator) value() error {
	c, err := v.peek()
	if err != nil {
		return err
	}
	switch c {
	case '{':
		return v.within(v.object)
	case '[':
		return v.within(v.array)
	case '"':
		_, err = v.text()
		return err
	case 'n':
		return v.literal("null")
	case 't':
		return v.literal("true")
	case 'f':
		return v.literal("false")
	}
	if c != '-' && (c < '0' || c > '9') {
		return v.unexpected("a value")
	}
	start := v.pos
	text, integer, err := v.numeral()
	if err == nil && !integer {
		_, err = v.float(text, start)
	}
	return err
}

func (v *validator) within(f func() error) error {
	if v.depth == 0 {
		return failAt(v.pos, fmt.Errorf("%w: more arrays and maps than allowed stand inside each other", serialization.ErrDepth))
	}
	v.depth--
	v.pos++
	err := f()
	v.depth++
	return err
}

func (v *validator) array() error {
	for i := 0; ; i++ {
		end, err := v.separator(']', i == 0)
		if end {
			return nil
		}
		if err == nil {
			err = v.value()
		}
		if err != nil {
			return under(err, pcore.Step{Kind: pcore.StepIndex, Index: i})
		}
	}
}

func (v *validator) object() error {
	base := len(v.keys)
	err := v.members(base)
	v.keys = v.keys[:base]
	return err
}

func (v *validator) members(base int) error {
	var seen map[string]struct{}
	secret := false
	for first := true; ; first = false {
		end, err := v.separator('}', first)
		if end || err != nil {
			return err
		}
		start := v.pos
		key, err := v.memberKey()
		if err != nil {
			return err
		}
		step := pcore.Step{Kind: pcore.StepEntry, Index: len(v.keys) - base, Key: pcore.String(key)}
		if v.known(base, key, &seen) && !v.duplicates {
			return under(failAt(start, serialization.ErrDuplicateKey), step)
		}
		v.keys = append(v.keys, key)
		if err := v.colon(); err != nil {
			return err
		}
		valueStart := v.pos
		if err := v.value(); err != nil {
			if secret && string(key) == "__pvalue" {
				return secretly(err)
			}
			return under(err, step)
		}
		secret = secret || string(key) == "__ptype" && string(bytes.TrimSpace(v.data[valueStart:v.pos])) == `"Sensitive"`
	}
}

// memberKey returns a key that stays valid.
func (v *validator) memberKey() ([]byte, error) {
	start := v.pos
	key, err := v.key()
	if err == nil && v.pos-start != len(key)+2 { // it had escapes
		key = bytes.Clone(key)
	}
	return key, err
}

// known reports whether key is among those of the map that began at base.
func (v *validator) known(base int, key []byte, seen *map[string]struct{}) bool {
	keys := v.keys[base:]
	if len(keys) < fewKeys {
		for i := range keys {
			if bytes.Equal(keys[i], key) {
				return true
			}
		}
		return false
	}
	if *seen == nil {
		*seen = make(map[string]struct{}, 2*len(keys))
		for i := range keys {
			(*seen)[string(keys[i])] = struct{}{}
		}
	}
	_, ok := (*seen)[string(key)]
	(*seen)[string(key)] = struct{}{}
	return ok
}

// under returns err as seen from one level further out.
func under(err error, step pcore.Step) error {
	var f *failure
	if errors.As(err, &f) {
		f.path = append(pcore.Path{step}, f.path...)
	}
	return err
}

// secretly drops what the path tells about the inside of a Sensitive.
func secretly(err error) error {
	var f *failure
	if errors.As(err, &f) {
		f.path = pcore.Path{{Kind: pcore.StepSecret}}
	}
	return err
}
