package catalog_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// A cached catalog of an agent, resource by resource. Detect determines its
// form from the content, then from the name.
func Example() {
	name := filepath.Join("..", "testdata", "catalogs", "tiny", "rich.msgpack")
	data, err := os.ReadFile(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	form, err := formats.Default().Detect("", data, name)
	if err != nil {
		fmt.Println(err)
		return
	}
	src := catalog.NewReaderBytes(data, form, serialization.DecodeOptions{})
	for r, err := range src.Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		parameters, err := r.Parameters()
		if err != nil {
			fmt.Println(err)
			return
		}
		if parameters.Len() > 1 {
			fmt.Println(r.Ref(), parameters)
		}
	}
	fmt.Println(src.Header().Name(), src.Header().Environment(), form.Name)
	// Output:
	// File[/etc/hello] {'ensure' => 'file', 'content' => "hello\n"}
	// web01.example.com production rich-msgpack
}

// A parameter of a resource in a file, of any format, compressed or not.
func ExampleOpen() {
	f, err := catalog.Open("../testdata/catalogs/webstack/rich.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	for c, err := range f.Catalogs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		r, ok := c.Resource(catalog.Ref{Type: "Package", Title: "postgresql"})
		if !ok {
			continue
		}
		version, _, err := r.Parameter("ensure")
		fmt.Println(c.Name(), version, err)
	}
	// Output: web01.example.com '15.6-0+deb12u1' <nil>
}

func ExampleCopy() {
	input := `{"name":"web01","resources":[{"type":"File","title":"/etc/motd","tags":["file"],"parameters":{"size":1e2}}],"edges":[]}`
	form := formats.RichJSON()
	var out strings.Builder
	src := catalog.NewReader(strings.NewReader(input), form, serialization.DecodeOptions{})
	dst := catalog.NewWriter(&out, form, catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	untag := catalog.TransformFunc(func(_ context.Context, r *catalog.Resource) (*catalog.Resource, error) {
		return r.Without("tags"), nil
	})
	if err := catalog.Copy(context.Background(), dst, src, untag); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.String())
	// Output:
	// {"name":"web01","resources":[{"type":"File","title":"/etc/motd","parameters":{"size":1e2}}],"edges":[]}
}

func ExampleReader_Resources() {
	input := `{"data":{"name":"web01","resources":[
		{"type":"User","title":"app","parameters":{"password":"x"},"sensitive_parameters":["password"]}],"edges":[]}}`
	form := formats.RichJSON()
	src := catalog.NewReader(strings.NewReader(input), form, serialization.DecodeOptions{})
	for r, err := range src.Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(src.Header().Name(), r.Ref(), r.SensitiveParameters())
	}
	// Output:
	// web01 User[app] [password]
}

// A parameter that its resource lists as sensitive is a Sensitive, which does
// not print its secret.
func ExampleResource_Parameters() {
	input := `{"name":"web01","resources":[
		{"type":"User","title":"app","parameters":{"shell":"/bin/sh","password":"x"},"sensitive_parameters":["password"]}],"edges":[]}`
	form := formats.RichJSON()
	for r, err := range catalog.NewReader(strings.NewReader(input), form, serialization.DecodeOptions{}).Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		parameters, err := r.Parameters()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Ref(), parameters)
	}
	// Output:
	// User[app] {'shell' => '/bin/sh', 'password' => Sensitive [value redacted]}
}

// The parameters of a resource as a Go struct. A parameter that the catalog
// lists as sensitive needs a Secret.
func ExampleResource_Unmarshal() {
	document := `{"resources":[{"type":"App::Backup","title":"nightly","parameters":{"host":"db01","port":5432,"password":"s3cret"},
		"sensitive_parameters":["password"]}]}`
	type backup struct {
		Host     string
		Port     uint16
		Password native.Secret[string]
	}
	for r, err := range catalog.NewReaderBytes([]byte(document), formats.RichJSON(), serialization.DecodeOptions{}).Resources() {
		var b backup
		if err == nil {
			err = r.Unmarshal(&b)
		}
		fmt.Println(b, err)
		fmt.Println(r.Unmarshal(&struct{ Port int8 }{}))
	}
	// Output:
	// {db01 5432 Sensitive [value redacted]} <nil>
	// App::Backup[nightly]/port: 5432 does not fit int8
}
