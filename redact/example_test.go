package redact_test

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// The catalog does not declare its password to be a secret.
func Example() {
	data := []byte(`{"name":"web01","resources":[` +
		`{"type":"File","title":"/etc/app.conf","parameters":{"content":"user = app\npassword = Zx9-qKw4vTz\n"}},` +
		`{"type":"Exec","title":"login","parameters":{"command":"/bin/app -u app -p Zx9-qKw4vTz"}}],"edges":[]}`)
	format := formats.RichJSON()
	auditor, err := redact.NewAuditor(audit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	input := redact.Input{
		Name: "web01.json",
		Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), nil, nil
		},
		Write: func(_ context.Context, write func(io.Writer) error) error { return write(&out) },
	}
	result, err := redact.Run(context.Background(), []redact.Input{input}, redact.Options{Audit: auditor})
	if err != nil || result.Failures[0] != nil {
		fmt.Println(err, result.Failures)
		return
	}
	fmt.Println(result.Secrets, "secret,", result.Copies, "copies")
	fmt.Println(out.String())
	// Output:
	// 1 secret, 2 copies
	// {"name":"web01","resources":[{"type":"File","title":"/etc/app.conf","parameters":{"content":"user = app\npassword = redacted-1-by-pcat\n"}},{"type":"Exec","title":"login","parameters":{"command":"/bin/app -u app -p redacted-1-by-pcat"}}],"edges":[]}
}
