package external_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/deferred/external"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// codec encodes rich data in JSON.
type codec struct{}

func (codec) Encode(v pcore.Value) ([]byte, error) {
	return formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
}

func (codec) Decode(data []byte) (pcore.Value, error) {
	return formats.RichJSON().Decode(data, serialization.DecodeOptions{})
}

// A shell script implements the function vault::lookup.
func ExamplePlugins() {
	dir, err := os.MkdirTemp("", "plugins")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	const script = "#!/bin/sh\necho '{\"__ptype\":\"Sensitive\",\"__pvalue\":\"correct-horse\"}'\n"
	if err := os.Mkdir(filepath.Join(dir, "vault"), 0o700); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "vault", "lookup"), []byte(script), 0o700); err != nil {
		fmt.Println(err)
		return
	}
	plugins, err := external.NewPlugins(dir, external.PluginOptions{Codec: codec{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	call := pcore.NewDeferred("vault::lookup", pcore.NewArray(pcore.String("db")))

	r := &deferred.Resolver{Functions: plugins}
	_, err = r.Resolve(context.Background(), call)
	fmt.Println(err)

	r.Policy.Effects = function.RunsCommands
	v, err := r.Resolve(context.Background(), call)
	fmt.Println(v, err)
	// Output:
	// vault::lookup is not allowed: it runs commands
	// Sensitive [value redacted] <nil>
}
