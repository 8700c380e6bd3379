package hiera_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// The data of an environment depends on the facts of a node.
func ExampleHierarchy_Lookup() {
	dir, err := os.MkdirTemp("", "environment")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		"hiera.yaml":       "version: 5\nhierarchy:\n- {name: roles, path: '%{role}.yaml'}\n- {name: all, path: common.yaml}\n",
		"data/web.yaml":    "ports: [443]\n",
		"data/common.yaml": "ports: [22]\n",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			fmt.Println(err)
			return
		}
	}
	h, err := hiera.New(hiera.Options{Environment: dir, Files: function.Tree{Folders: []string{dir}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	env := &function.Env{Variables: variables{"role": pcore.String("web")}, Budget: function.NewBudget(10_000)}
	for _, merge := range []pcore.Value{nil, pcore.String("unique")} {
		fmt.Println(h.Lookup(context.Background(), env, hiera.Query{Keys: []string{"ports"}, Merge: merge}))
	}
	// Output:
	// [443] <nil>
	// [443, 22] <nil>
}
