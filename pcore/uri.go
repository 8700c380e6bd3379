package pcore

// URI is a uniform resource identifier.
type URI struct{ text string }

// Text returns the URI as it is written on the wire.
func (v *URI) Text() string { return v.text }

// Kind returns KindURI.
func (*URI) Kind() Kind { return KindURI }

func (v *URI) String() string { return format(v) }

func (*URI) value() {}
