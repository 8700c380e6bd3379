package serialization

import (
	"github.com/pcatdev/pcat/pcore"
)

// The limits that the zero value of [DecodeOptions] stands for.
const (
	DefaultMaxDepth  = 512
	DefaultMaxString = 256 << 20
	DefaultMaxBytes  = 4 << 30
)

// DecodeOptions are the limits and policies of a [Decoder] or [Reader]. The
// zero value is strict and safe: memory is taken for what is really there,
// never for what a header promises.
type DecodeOptions struct {
	// MaxDepth is how many arrays and maps may stand inside each other.
	// Zero means [DefaultMaxDepth]. Beyond it the error is [ErrDepth].
	MaxDepth int
	// MaxString is how many bytes one string may have on the wire. Zero
	// means [DefaultMaxString], a negative number no limit. Beyond it the
	// error is [ErrTooLarge].
	MaxString int
	// MaxBytes is how many bytes the input may have. Zero means
	// [DefaultMaxBytes], a negative number no limit. Beyond it the error is
	// [ErrTooLarge].
	MaxBytes int64
	// AllowDuplicates lets a map hold a key twice: the last value counts,
	// at the place of the first. Without it, that is [ErrDuplicateKey].
	AllowDuplicates bool
	// AllowUnknownTypes keeps data whose `__ptype` nobody knows as a
	// [pcore.Object] of a [pcore.TypeReferenceType], with all members as
	// attributes, and it is written again as it was read. Without it, such
	// data is [ErrUnknownType].
	AllowUnknownTypes bool
	// Plain takes every map for what it holds: the key `__ptype` means nothing.
	// It is for data of a plain form that is to stay what it is; the plain
	// forms of a catalog mark secrets with that key.
	Plain bool
	// ShareInput lets Strings point into the bytes that a decoder or reader
	// was given as a whole, where these have no escapes. Then nobody may
	// change the bytes as long as some value is in use, and one small value
	// keeps all of them in memory; [pcore.Clone] frees it from them. What is
	// read from a stream is always copied. With the build tag purego,
	// everything is.
	ShareInput bool
	// Types finds types by name and constructs their values. Nil means the
	// types of the specification, by their plain names.
	Types Types
}

// Depth returns the depth that is allowed.
func (o *DecodeOptions) Depth() int {
	if o.MaxDepth <= 0 {
		return DefaultMaxDepth
	}
	return o.MaxDepth
}

// StringLimit returns how many bytes one string may have.
func (o *DecodeOptions) StringLimit() int {
	return int(limit(int64(o.MaxString), DefaultMaxString))
}

// ByteLimit returns how many bytes the input may have.
func (o *DecodeOptions) ByteLimit() int64 { return limit(o.MaxBytes, DefaultMaxBytes) }

func limit(n, byDefault int64) int64 {
	switch {
	case n == 0:
		return byDefault
	case n < 0:
		return 1<<63 - 1
	}
	return n
}

// Types is what decoding rich data needs to know about types: the hook through
// which type expressions, types of a module and constructors come in. An
// implementation is safe for concurrent use.
type Types interface {
	// Resolve returns the type that text, a type expression found in a
	// `__ptype`, stands for. It returns an error that matches
	// [ErrUnknownType] when no such type is known.
	Resolve(text string) (pcore.Type, error)
	// New returns the value that T.new(args…) constructs. It is not asked for
	// Objects.
	New(t pcore.Type, args ...pcore.Value) (pcore.Value, error)
}

// SecretMode tells what an [Encoder] does with a [pcore.Sensitive].
type SecretMode uint8

const (
	// RefuseSecrets makes a Sensitive an error, [ErrSecret]. It is the zero
	// value: clear text has to be asked for.
	RefuseSecrets SecretMode = iota
	// ClearSecrets writes secrets in clear, marked as Sensitive where the
	// form can tell, which is what Puppet does.
	ClearSecrets
	// RedactSecrets writes [pcore.RedactedText] in place of each Sensitive.
	RedactSecrets
)

// EncodeOptions are the policies of an [Encoder] or [Writer].
type EncodeOptions struct {
	// Secrets tells what becomes of secrets; the zero value refuses them.
	Secrets SecretMode
	// Indent is what each level of a textual form is indented with. Empty
	// means everything on one line, where the form can.
	Indent string
	// LocalReferences writes an Array, Hash, Sensitive or Object that was
	// written before as a reference to where that stands. Puppet writes
	// catalogs without.
	LocalReferences bool
	// EmbedTypes writes the definition of an Object type before the first of
	// its instances, for readers that do not know the type. Only the
	// tabulated forms can.
	EmbedTypes bool
	// OnLoss is told of whatever the form cannot hold, in the order of the
	// document, while it is being written. Nil means that nobody asks. What
	// Secrets asks for is no loss.
	OnLoss func(Loss)
}
