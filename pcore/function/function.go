package function

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Function is a function of the language, by whatever it is implemented. A
// [Registry] checks it and completes its signatures; after that it is not
// changed and may be called from several goroutines at once.
type Function struct {
	// Name is the qualified name in lower case, such as upcase or
	// stdlib::sha256.
	Name string
	// Doc says what the function does. Its first sentence is a summary.
	Doc string
	// Source tells people where the function comes from.
	Source string
	// Effects is what a call does beyond computing a value.
	Effects Effects
	// HandlesSensitive tells that the function itself knows what to do with
	// Sensitive arguments: it opens, passes on or keeps them. Any other
	// function would write [pcore.RedactedText] in place of the secret, or
	// refuse it.
	HandlesSensitive bool
	// OwnText tells that the texts it returns are not made of those among
	// its arguments, as a digest is not. The result of any other function,
	// when it is called with bytes, is bytes as well.
	OwnText bool
	// Dispatches are tried in order; the first whose signature accepts the
	// arguments is called.
	Dispatches []Dispatch
}

// Implementation computes the result of a call. The arguments are those that
// the signature of its [Dispatch] accepts, so that type assertions by it
// cannot fail; those that are optional and were not given are not there.
type Implementation func(c *Call, args []pcore.Value) (pcore.Value, error)

// Dispatch is one way to call a function.
type Dispatch struct {
	// Text is the signature in the notation of [ParseSignature]. It stands
	// for Signature when that is nil.
	Text string
	// Signature is what the dispatch accepts and returns.
	Signature *Signature
	// Call computes the result.
	Call Implementation
	// ChecksReturn tells that Call itself holds its result against the
	// signature. So a function of the language can return what its `return`
	// gives, which the reference does not check.
	ChecksReturn bool
	// Mismatch, in place of Call, makes the dispatch one that refuses what
	// it accepts: it returns the reason. Such a dispatch is not listed
	// among the signatures of the function.
	Mismatch func(args []pcore.Value) string
}

// Finder knows functions by name.
type Finder interface {
	// Function returns the function of that name. The name is as
	// [CanonicalName] makes it.
	Function(name string) (*Function, bool)
}

// CanonicalName returns the name under which a function is found: in lower
// case, and without the `::` before it, as the reference looks names up.
func CanonicalName(name string) string {
	return strings.ToLower(strings.TrimPrefix(name, "::"))
}

// Signatures returns the signatures by which the function can be called.
func (f *Function) Signatures() []*Signature {
	var all []*Signature
	for _, d := range f.Dispatches {
		if d.Mismatch == nil {
			all = append(all, d.Signature)
		}
	}
	return all
}

// check refuses what no signature could make whole.
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

// readSignatures parses those signatures that are texts.
func (f *Function) readSignatures(types TypeParser) error {
	for i := range f.Dispatches {
		d := &f.Dispatches[i]
		if d.Signature != nil {
			continue
		}
		s, err := ParseSignature(d.Text, types)
		if err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
		d.Signature = s
	}
	return nil
}

// refusal is a dispatch that takes any arguments and answers with err.
func refusal(err error) []Dispatch {
	return []Dispatch{{
		Signature: &Signature{
			Params: []Param{{Name: "args", Type: pcore.AnyType{}, Optional: true, Repeated: true}},
			Block:  &Param{Name: "block", Type: pcore.NewCallableType(nil, nil, nil), Optional: true},
		},
		Call: func(*Call, []pcore.Value) (pcore.Value, error) { return nil, err },
	}}
}
