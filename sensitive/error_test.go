package sensitive_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// An error reveals no secret collected by this Redactor or earlier ones, and still
// matches the wrapped errors.
func TestErr(t *testing.T) {
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	doc := `{"resources":[{"type":"User","title":"u","parameters":{"password":"Xk29vLq07TzW"},"sensitive_parameters":["password"]}]}`
	if err := c.Collect(catalog.NewReaderBytes([]byte(doc), format(t, "rich-json"), serialization.DecodeOptions{})); err != nil {
		t.Fatal(err)
	}
	reason, plain := errors.New("reason"), errors.New("nothing to hide")
	for _, s := range []*sensitive.Secrets{c.Secrets(), c.Secrets().Then(new(sensitive.Secrets)), new(sensitive.Secrets).Then(c.Secrets())} {
		r := s.Redactor(nil)
		err := r.Err(fmt.Errorf("login Xk29vLq07TzW: %w", reason))
		if err.Error() != "login redacted-1-by-pcat: reason" || !errors.Is(err, reason) {
			t.Errorf("%q, which wraps %q", err, errors.Unwrap(err))
		}
		if got := r.Err(plain); got != plain { //nolint:errorlint // it is the same
			t.Errorf("%q became %q", plain, got)
		}
		if got := r.Err(nil); got != nil {
			t.Errorf("nothing became %q", got)
		}
	}
}
