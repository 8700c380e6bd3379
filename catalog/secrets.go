package catalog

import (
	"bytes"

	"github.com/pcatdev/pcat/pcore"
)

// HoldsSecrets reports whether the resource has a declared secret: a parameter
// named in `sensitive_parameters`, or a Sensitive anywhere in a parameter.
func (r *Resource) HoldsSecrets() (bool, error) {
	if !r.MayBeRich() && !bytes.Contains(r.Bytes(), []byte(keySensitive)) {
		return false, nil
	}
	m, err := r.load()
	if err != nil {
		return false, r.blame(err)
	}
	if len(r.SensitiveParameters()) > 0 {
		return true, nil
	}
	for i := range m.parameters {
		holds, err := m.parameters[i].holdsSensitive()
		if holds || err != nil {
			return holds, r.blame(located(err, Location{Path: path(keyParameters, m.parameters[i].Key)}, -1))
		}
	}
	return false, nil
}

// holdsSensitive reports whether the value contains a Sensitive. It decodes the
// value only if its bytes allow one.
func (d *datum) holdsSensitive() (bool, error) {
	if !d.MayBeRich() {
		return false, nil
	}
	v, err := d.Value()
	if err != nil {
		return false, err
	}
	holds := false
	err = pcore.Walk(v, func(c *pcore.Cursor) error {
		if holds {
			return pcore.SkipChildren
		}
		holds = pcore.Is[*pcore.Sensitive](c.Value())
		return nil
	})
	return holds, err
}
