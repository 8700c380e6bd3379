package pcore

// Deferred is a call that is made later, by the agent that applies the
// catalog: the name of a function, or of a variable with a leading `$`, and
// its arguments.
type Deferred struct {
	name string
	args *Array
}

// NewDeferred returns a call of name with args. Nil args means that no
// arguments were given, which the wire form distinguishes from an empty list.
func NewDeferred(name string, args *Array) *Deferred { return &Deferred{name, args} }

// Name returns the name as given to NewDeferred.
func (v *Deferred) Name() string { return v.name }

// Arguments returns the arguments, or nil if none were given.
func (v *Deferred) Arguments() *Array { return v.args }

// kind returns kindDeferred.
func (*Deferred) kind() Kind { return kindDeferred }

func (v *Deferred) String() string { return format(v) }

func (*Deferred) value() {}
