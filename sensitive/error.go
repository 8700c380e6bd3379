package sensitive

import "errors"

// ErrNotCollected is returned by whatever redacts while its [Redactor] has
// collected no document: it would leave every copy of a secret in the output.
var ErrNotCollected = errors.New("no secrets were collected: call Collect for each document before Redact")
