package pcore

// Regexp is a regular expression in Ruby's syntax.
type Regexp struct{ source string }

// NewRegexp returns the regular expression with the given source, which stands
// between the slashes in the language.
func NewRegexp(source string) *Regexp { return &Regexp{source} }

// Source returns the text of the expression without slashes.
func (v *Regexp) Source() string { return v.source }

// Kind returns KindRegexp.
func (*Regexp) Kind() Kind { return KindRegexp }

func (v *Regexp) String() string { return format(v) }

func (*Regexp) value() {}
