package serialization

import (
	"github.com/pcatdev/pcat/pcore"
)

// DecodeOptions are the limits and policies of a [Decoder] or [Reader]. The
// zero value is strict and safe: memory is allocated for data that is present,
// not for lengths claimed by headers.
type DecodeOptions struct {
	// MaxDepth is the maximum nesting depth of arrays and maps. Zero means
	// 512. Deeper nesting is [ErrDepth].
	MaxDepth int
	// MaxString is the maximum length of one encoded string in bytes. Zero
	// means 256 MiB; a negative number means no limit. A longer
	// string is [ErrTooLarge].
	MaxString int
	// MaxBytes is the maximum length of the input in bytes. Zero means
	// 4 GiB; a negative number means no limit. A longer input is
	// [ErrTooLarge].
	MaxBytes int64
	// AllowDuplicates allows duplicate keys in a map: the last value is kept,
	// at the position of the first. Otherwise a duplicate with another value is
	// [ErrDuplicateKey], and one with an equal value is dropped.
	AllowDuplicates bool
	// AllowUnknownTypes keeps data with an unknown `__ptype` as a
	// [pcore.Object] of a [pcore.TypeReferenceType], with all members as
	// attributes, which is written back as it was read. Otherwise an unknown
	// type is [ErrUnknownType].
	AllowUnknownTypes bool
	// Plain disables rich data: the key `__ptype` has no special meaning. Use
	// it for data of a plain format that must not be interpreted; the plain formats
	// of a catalog mark secrets with that key.
	Plain bool
	// ShareInput lets Strings without escapes refer to input that the decoder
	// or reader was given as a byte slice. The slice must then not be modified
	// while any value is in use, and a single small value keeps all of it in
	// memory; [pcore.Clone] makes an independent copy. Data from a stream is
	// always copied, and with the build tag purego all data is.
	ShareInput bool
	// Types finds types by name and constructs their values. Nil means the
	// types of the specification, by their plain names.
	Types Types
}

// Types provides type expressions, types of modules and constructors for
// decoding rich data. Implementations must be safe for concurrent use.
type Types interface {
	// Resolve returns the type that text, a type expression in a `__ptype`,
	// denotes. The error matches [ErrUnknownType] if the type is unknown.
	Resolve(text string) (pcore.Type, error)
	// New returns the value of T.new(args…). It is not called for Object types.
	New(t pcore.Type, args ...pcore.Value) (pcore.Value, error)
}

// SecretMode is how an [Encoder] writes a [pcore.Sensitive].
type SecretMode uint8

const (
	// RefuseSecrets makes a Sensitive an error, [ErrSecret]. It is the zero
	// value, so plain-text output must be requested. A codec knows only
	// Sensitives: the parameters that a catalog lists as sensitive are plain text
	// in its data, and are written. Packages sensitive and redact know them.
	RefuseSecrets SecretMode = iota
	// PlainSecrets writes secrets in plain text, marked as Sensitive if the
	// format supports it, as Puppet does.
	PlainSecrets
	// RedactSecrets writes [pcore.RedactedText] instead of each Sensitive.
	RedactSecrets
)

// EncodeOptions are the options of an [Encoder] or [Writer].
type EncodeOptions struct {
	// Secrets is the policy for secrets. The zero value rejects them.
	Secrets SecretMode
	// Indent is the indentation of one level in a textual format. If it is empty,
	// everything is on one line, if the format allows it.
	Indent string
	// LocalReferences writes a repeated Array, Hash, Sensitive or Object as a
	// reference to its first occurrence. Puppet does not use references in
	// catalogs.
	LocalReferences bool
	// EmbedTypes writes the definition of an Object type before its first
	// instance, for readers that do not know the type. Only the tabulated formats
	// support it.
	EmbedTypes bool
	// OnLoss is called for each value that the format cannot represent, in
	// document order, during writing. It may be nil. Effects of Secrets are not
	// losses.
	OnLoss func(Loss)
}
