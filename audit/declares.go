package audit

import "bytes"

// declares reports whether a resource may declare a secret, by its bytes: both
// `sensitive_parameters` and the type Sensitive contain "ensitive", unless an
// escape of JSON hides it.
func declares(raw []byte) bool {
	return bytes.Contains(raw, []byte("ensitive")) || bytes.Contains(raw, []byte(`\u00`))
}

// none rejects every edge.
func none([]byte) bool { return false }
