package report

import (
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/pcore"
)

// view is how a change of a value is shown, in any format: with one of note, data, texts,
// lists, or the two values.
type view struct {
	label string // about the format of the values
	note  string // a sentence instead of the values
	grave bool   // note is about a lost or gained Sensitive
	data  []diff.DataChange
	// isText indicates that old and new are compared by lines.
	isText   bool
	old, new string
	sameData bool // the texts are the same data, written differently
	// minus and plus are the elements of one list only.
	isList      bool
	minus, plus []string
	hidden      bool // another change says it
}

// viewOf returns how c is shown. A change of a whole resource has no view.
func viewOf(c *diff.Change) view {
	old, okOld := c.Old.(pcore.String)
	new, okNew := c.New.(pcore.String)
	switch {
	case c.Kind == kind.Relation && c.Detail == "":
		return view{hidden: true}
	case c.Kind == kind.Sensitivity:
		return view{note: sensitivity(c), grave: true}
	case c.OldSecret || c.NewSecret:
		return view{note: secret(c)}
	case c.Kind == kind.Relation:
		return view{note: c.Detail}
	case c.OldText != "":
		return view{label: "base64", isText: true, old: c.OldText, new: c.NewText}
	case okOld && okNew && old == new:
		return view{note: "differs only in a secret"}
	case len(c.Data) > 0:
		return view{label: c.Format, data: c.Data, old: string(old), new: string(new)}
	case okOld && okNew && (isText(string(old)) || isText(string(new))):
		v := view{isText: true, old: string(old), new: string(new)}
		if c.Format != "" {
			v.label, v.sameData = c.Format+", the same data written differently", true
		}
		if a, b := withoutCertificates(v.old), withoutCertificates(v.new); a != b {
			v.old, v.new = a, b
		}
		return v
	case c.Kind == kind.Array && c.Old != nil && c.New != nil:
		minus, plus := elements(c.Old, c.New)
		return view{isList: len(minus)+len(plus) > 0, minus: minus, plus: plus, label: anotherOrder(minus, plus)}
	default:
		return view{}
	}
}

func anotherOrder(minus, plus []string) string {
	if len(minus)+len(plus) == 0 {
		return "another order"
	}
	return ""
}

func sensitivity(c *diff.Change) string {
	same := " (another value)"
	if c.Same {
		same = " (same value)"
	}
	if c.OldSecret {
		return "was Sensitive, is now plain text" + same
	}
	return "was plain text, is now Sensitive" + same
}

func secret(c *diff.Change) string {
	switch c.Op {
	case diff.OpAdd:
		return strings.TrimSpace("added: Sensitive " + c.NewDigest)
	case diff.OpRemove:
		return strings.TrimSpace("removed: Sensitive " + c.OldDigest)
	default:
		if c.OldDigest != "" {
			return "Sensitive, changed  " + c.OldDigest + " → " + c.NewDigest
		}
		return "Sensitive, changed"
	}
}

// pathName returns a path without the step to the parameters.
func pathName(path string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(path, "/parameters"), "/")
	return strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
}

// isText reports whether a String is shown as lines.
func isText(s string) bool { return strings.ContainsAny(strings.TrimSuffix(s, "\n"), "\n\r") }

// elements returns the elements that only one of two lists has.
func elements(old, new pcore.Value) (minus, plus []string) {
	a, b := scalars(old), scalars(new)
	count := make(map[string]int)
	for _, e := range a {
		count[e]++
	}
	for _, e := range b {
		if count[e]--; count[e] < 0 {
			plus = append(plus, e)
		}
	}
	for _, e := range a {
		if count[e]--; count[e] >= 0 {
			minus = append(minus, e)
		}
	}
	return minus, plus
}

func scalars(v pcore.Value) []string {
	list, ok := v.(*pcore.Array)
	if !ok {
		return []string{scalar(v)}
	}
	var all []string
	for e := range list.Values() {
		all = append(all, scalar(e))
	}
	return all
}
