package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
)

// outlined is a document in memory with its outline.
type outlined struct {
	*catalog.Outline
	keys map[string]pcore.Value // the keys of paths
}

// pathOf returns the path to a rich value in a resource. Paths to parameters omit the
// member that contains them. It is safe for concurrent use.
func (d *outlined) pathOf(v *document.Rich) pcore.Path {
	first, n := 0, d.Depth(v)
	if key, _ := d.Step(v, 0); string(key) == "parameters" {
		first = 1
	}
	path := make(pcore.Path, 0, n-first)
	for i := first; i < n; i++ {
		path = append(path, stepTo(d.Step(v, i)))
	}
	return path
}

// step is [stepTo], but returns the same key for the same text. A nil outlined does not
// cache keys.
func (d *outlined) step(key []byte, index int) pcore.Step {
	if d == nil || key == nil {
		return stepTo(key, index)
	}
	known, ok := d.keys[string(key)]
	if !ok {
		known = pcore.String(key)
		d.keys[string(key)] = known
	}
	return pcore.Step{Kind: pcore.StepEntry, Key: known}
}

// stepTo returns the step to a member, or to an element if key is nil.
func stepTo(key []byte, index int) pcore.Step {
	if key == nil {
		return pcore.Step{Kind: pcore.StepIndex, Index: index}
	}
	return pcore.Step{Kind: pcore.StepEntry, Key: pcore.String(key)}
}
