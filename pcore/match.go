package pcore

// Match reports whether v matches pattern like an option of a case expression.
// A type matches its instances, a regular expression the strings in which it
// occurs, a version range the versions in it, and an array and a hash match
// part by part. Default matches everything; any other pattern matches the
// values [Equal] to it.
func Match(pattern, v Value) bool {
	switch p := pattern.(type) {
	case Default:
		return true
	case Type:
		return Contains(p, v)
	case *Regexp:
		s, ok := v.(String)
		if !ok {
			return false
		}
		found, err := p.Match(string(s))
		return err == nil && found
	case *SemVer:
		version, ok := versionOf(v)
		return ok && Equal(p, version)
	case *SemVerRange:
		version, ok := versionOf(v)
		return ok && p.Contains(version)
	case *Array:
		a, ok := v.(*Array)
		return ok && matchArrays(p, a)
	case *Hash:
		h, ok := v.(*Hash)
		return ok && matchHashes(p, h)
	default:
		return Equal(v, pattern)
	}
}

func versionOf(v Value) (*SemVer, bool) {
	switch v := v.(type) {
	case *SemVer:
		return v, true
	case String:
		version, err := ParseSemVer(string(v))
		return version, err == nil
	default:
		return nil, false
	}
}

func matchArrays(patterns, a *Array) bool {
	if patterns.Len() != a.Len() {
		return false
	}
	for i, p := range patterns.All() {
		if !Match(p, a.At(i)) {
			return false
		}
	}
	return true
}

func matchHashes(patterns, h *Hash) bool {
	for k, p := range patterns.All() {
		v, ok := h.Get(k)
		if !ok {
			v = Undef{}
		}
		if !Match(p, v) {
			return false
		}
	}
	return true
}

// acceptsParameters reports whether the named parameters, the components of a
// URI type or the parameters of an Object type, accept all values that o
// accepts.
func acceptsParameters(params, o *Hash) bool {
	for k, p := range params.All() {
		v, ok := o.Get(k)
		if !ok || !matchParameter(p, v) {
			return false
		}
	}
	return true
}

func matchParameter(pattern, v Value) bool {
	if Match(pattern, v) {
		return true
	}
	p, ok := pattern.(Type)
	if !ok {
		return false
	}
	t, ok := v.(Type)
	return ok && Accepts(p, t)
}
