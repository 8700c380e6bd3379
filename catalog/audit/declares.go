package audit

import (
	"bytes"

	"github.com/pcatdev/pcat/catalog"
)

// declares reports whether a resource may declare a secret, by its bytes: both
// `sensitive_parameters` and the type Sensitive have a part in common, unless
// an escape of JSON hides it.
func declares(r *catalog.Resource) bool {
	b := r.Bytes()
	return b == nil || bytes.Contains(b, []byte("ensitive")) || bytes.Contains(b, []byte(`\u00`))
}

// none wants no edge.
func none(*catalog.Edge) bool { return false }
