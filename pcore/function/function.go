package function

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Function is a function of the language. A [Registry] checks it and completes
// its signatures; after that it is read-only and safe for concurrent use.
type Function struct {
	// Name is the qualified name in lower case, such as upcase or
	// stdlib::sha256.
	Name string
	// Doc describes the function. Its first sentence is a summary.
	Doc string
	// Source is a readable description of the function's origin.
	Source string
	// Effects are the side effects and hidden inputs of a call.
	Effects Effects
	// HandlesSensitive reports that the function handles Sensitive arguments
	// itself: it unwraps them, passes them on or keeps them. Any other
	// function would format a secret as [pcore.RedactedText] or reject it.
	HandlesSensitive bool
	// OwnText reports that the function's results do not contain text from
	// its arguments; a digest is an example. For other functions, a call
	// with byte strings returns byte strings.
	OwnText bool
	// Convert, if set, converts the arguments before a dispatch is chosen,
	// as the reference does for functions of its 3.x API.
	Convert func(c *Call, args []pcore.Value) ([]pcore.Value, error)
	// Dispatches are tried in order. The first whose signature accepts the
	// arguments is called.
	Dispatches []Dispatch
}

// Implementation computes the result of a call. The signature of its [Dispatch]
// has accepted the arguments, so type assertions that follow it cannot fail.
// Omitted optional arguments are absent from args.
type Implementation func(c *Call, args []pcore.Value) (pcore.Value, error)

// Dispatch is one signature of a function, with its implementation.
type Dispatch struct {
	// Text is the signature in the notation of [ParseSignature]. It is used
	// if Signature is nil.
	Text string
	// Signature describes the accepted arguments and the result.
	Signature *Signature
	// Call computes the result.
	Call Implementation
	// ChecksReturn reports that Call itself checks its result against the
	// signature. A function written in the language needs this: its `return`
	// is exempt from the check, as in the reference.
	ChecksReturn bool
	// Mismatch, if set instead of Call, rejects a call that the signature
	// accepts, and returns the reason. Such a dispatch does not appear among
	// the function's signatures.
	Mismatch func(args []pcore.Value) string
}

// Finder looks up functions by name.
type Finder interface {
	// Function returns the function with the given name, which must be in
	// the form returned by [CanonicalName].
	Function(name string) (*Function, bool)
}

// CanonicalName returns the name used for lookup: lower case, without a leading
// `::`, as in the reference.
func CanonicalName(name string) string {
	return strings.ToLower(strings.TrimPrefix(name, "::"))
}

// Signatures returns the signatures with which the function can be called.
func (f *Function) Signatures() []*Signature {
	var all []*Signature
	for _, d := range f.Dispatches {
		if d.Mismatch == nil {
			all = append(all, d.Signature)
		}
	}
	return all
}

// check rejects faults other than unparsable signatures.
func (f *Function) check() error {
	switch {
	case f.Name == "":
		return errors.New("a function has no name")
	case f.Name != CanonicalName(f.Name):
		return fmt.Errorf("function %q: the name must be in lower case", f.Name)
	case len(f.Dispatches) == 0:
		return fmt.Errorf("function %s: it has no dispatch", f.Name)
	}
	for i, d := range f.Dispatches {
		if (d.Call == nil) == (d.Mismatch == nil) {
			return fmt.Errorf("function %s: dispatch %d needs either Call or Mismatch", f.Name, i)
		}
		if d.Signature == nil {
			continue
		}
		if err := d.Signature.check(); err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
	}
	return nil
}

// readSignatures parses the signatures that are given as text.
func (f *Function) readSignatures(types typeParser) error {
	for i := range f.Dispatches {
		d := &f.Dispatches[i]
		if d.Signature != nil {
			continue
		}
		s, err := parseSignature(d.Text, types)
		if err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
		d.Signature = s
	}
	return nil
}

// refusal returns a dispatch that accepts any arguments and returns err.
func refusal(err error) []Dispatch {
	return []Dispatch{{
		Signature: &Signature{
			Params: []Param{{Name: "args", Type: pcore.AnyType{}, Optional: true, Repeated: true}},
			Block:  &Param{Name: "block", Type: pcore.NewCallableType(nil, nil, nil), Optional: true},
		},
		Call: func(*Call, []pcore.Value) (pcore.Value, error) { return nil, err },
	}}
}
