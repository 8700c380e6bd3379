package pcore

// Deferred is a call that is made later, by the agent that applies the
// catalog: the name of a function, or of a variable with a leading `$`, and
// its arguments.
type Deferred struct {
	name string
	args *Array
}

// NewDeferred returns the call of name with args. Nil args means that none
// were given, which the wire tells apart from an empty list.
func NewDeferred(name string, args *Array) *Deferred { return &Deferred{name, args} }

// Name returns the name as it was given.
func (v *Deferred) Name() string { return v.name }

// Arguments returns the arguments; nil when none were given.
func (v *Deferred) Arguments() *Array { return v.args }

// Kind returns KindDeferred.
func (*Deferred) Kind() Kind { return KindDeferred }

func (v *Deferred) String() string { return format(v) }

func (*Deferred) value() {}
