package fallback_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve/fallback"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// codec encodes the arguments and answers of calls as rich data.
type codec struct{}

func (codec) Encode(v pcore.Value) ([]byte, error) {
	return formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
}

func (codec) Decode(data []byte) (pcore.Value, error) {
	return formats.RichJSON().Decode(data, serialization.DecodeOptions{})
}

// A call of a store that is down gets a default, which is Sensitive.
func ExampleHandler() {
	store, err := function.Of("store::get", func(string) (string, error) { return "", errors.New("the store is sealed") })
	functions := function.NewRegistry()
	if err := errors.Join(err, functions.Add(store)); err != nil {
		fmt.Println(err)
		return
	}
	policy, err := fallback.NewPolicy([]fallback.Rule{{Functions: []string{"store::*"}, OnFailure: fallback.Default, Default: pcore.String("s3cret")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	h, err := fallback.New(fallback.Options{Policy: policy, Codec: codec{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &deferred.Resolver{Functions: functions, Handler: h.For("web01", "production")}
	fmt.Println(r.Resolve(context.Background(), pcore.NewDeferred("store::get", pcore.NewArray(pcore.String("db")))))
	// Output:
	// Sensitive [value redacted] <nil>
}
