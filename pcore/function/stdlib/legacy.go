package stdlib

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// isLegacy reports whether the reference implements the function with its 3.x
// API, which predates rich data.
func isLegacy(name string) bool {
	switch name {
	case "digest", "fail", "file", "fqdn_rand", "md5", "sha1", "sha256", "shellquote", "sprintf",
		"any2array", "any2bool", "base64", "basename", "bool2num", "bool2str", "concat", "count", "deep_merge",
		"delete", "delete_at", "delete_undef_values", "delete_values", "difference", "dirname", "dos2unix",
		"glob", "grep", "has_key", "intersection", "join_keys_to_values", "loadjson", "loadyaml", "member",
		"num2bool", "parsejson", "parseyaml", "pick", "pick_default", "prefix", "pw_hash", "range",
		"regexpescape", "reverse", "shell_join", "shell_split", "shuffle", "str2bool", "str2saltedpbkdf2",
		"clamp", "convert_base", "delete_regex", "enclose_ipv6", "fqdn_uuid", "reject", "squeeze", "str2saltedsha512", "suffix", "swapcase", "to_bytes", "union", "unix2dos", "uriescape", "values_at", "zip":
		return true
	default:
		return false
	}
}

var (
	errIterator     = errors.New("Use of an Iterator is not supported here")                               //nolint:staticcheck // the reference's words
	errLargeInteger = errors.New("Use of a Ruby Integer outside of Puppet Integer range is not supported") //nolint:staticcheck // likewise
)

// legacyArguments converts arguments as the reference does for functions of its
// 3.x API: undef becomes the empty text, and values with a text form become that
// text, at any depth. It rejects iterators.
func legacyArguments(c *function.Call, args []pcore.Value) ([]pcore.Value, error) {
	plain := make([]pcore.Value, len(args))
	for i, v := range args {
		if pcore.Is[pcore.Undef](v) {
			v = pcore.String("")
		}
		plain[i] = v
		if !pcore.Search(v, needsConversion) {
			continue
		}
		var err error
		if plain[i], err = legacyArgument(c, v); err != nil {
			return nil, err
		}
	}
	return plain, nil
}

func legacyArgument(c *function.Call, v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case *pcore.Regexp:
		return pcore.String(v.String()), nil
	case pcore.Binary, pcore.Timestamp, pcore.Timespan, *pcore.SemVer, *pcore.SemVerRange:
		s, err := textOf(c, v, rubytext.Text)
		return pcore.String(s), err
	case *pcore.Iterator:
		return nil, errIterator
	case pcore.BigInteger:
		return nil, fmt.Errorf("%w, got %s", errLargeInteger, v)
	case *pcore.Array:
		return mapped(c, v, func(e pcore.Value) (pcore.Value, error) { return legacyArgument(c, e) })
	case *pcore.Hash:
		return legacyHash(c, v)
	default:
		return v, nil
	}
}

func legacyHash(c *function.Call, h *pcore.Hash) (pcore.Value, error) {
	if err := reserveEntries(c, h.Len()); err != nil {
		return nil, err
	}
	b := pcore.NewHashBuilder(h.Len())
	for k, e := range h.All() {
		key, err := legacyArgument(c, k)
		if err != nil {
			return nil, err
		}
		value, err := legacyArgument(c, e)
		if err != nil {
			return nil, err
		}
		b.Set(key, value)
	}
	return b.Hash(), nil
}

// needsConversion finds values that legacyArgument converts or rejects. It
// searches arrays and hashes.
func needsConversion(v pcore.Value) (found, inside bool) {
	switch v.(type) {
	case *pcore.Regexp, pcore.Binary, pcore.Timestamp, pcore.Timespan, *pcore.SemVer, *pcore.SemVerRange, *pcore.Iterator, pcore.BigInteger:
		return true, false
	case *pcore.Array, *pcore.Hash:
		return false, true
	default:
		return false, false
	}
}

// withReference returns the text of a reference to a resource or class as the
// 3.x API writes it, such as File[/a] or Class[A::B], and any other value
// unchanged.
func withReference(v pcore.Value) pcore.Value {
	switch t := v.(type) {
	case *pcore.ResourceType:
		if t.Resource() == "" {
			return v
		}
		title, _ := t.Title()
		return pcore.String(t.Resource() + "[" + title + "]")
	case *pcore.ClassType:
		if t.Class() == "" {
			return v
		}
		return pcore.String("Class[" + capitalSegments(t.Class()) + "]")
	default:
		return v
	}
}

// capitalSegments capitalizes each segment of a name.
func capitalSegments(name string) string {
	segments := strings.Split(name, "::")
	for i, s := range segments {
		segments[i] = rubytext.Capitalize(s)
	}
	return strings.Join(segments, "::")
}
