package puppet_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/puppet"
)

// own are the folders with lists of types of their own: what the language knows without any
// catalog, the knowledge of the audit about secrets, and which titles are names that redaction
// keeps. Tests and benchmarks make up catalogs.
var own = []string{"internal/puppet", "pcore", "audit", "internal/secret", "internal/test", "bench", "fleet/internal/fleettest", "tools"}

// TestLists checks that no other code has a list of Puppet's types: what is true for some of them
// belongs into the table.
func TestLists(t *testing.T) {
	const root, most = "../..", 2
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if d.IsDir() {
			for _, folder := range own {
				if filepath.ToSlash(name) == folder {
					return filepath.SkipDir
				}
			}
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.CaseClause:
				list = n.List
			case *ast.CompositeLit:
				list = n.Elts
			}
			types := make(map[string]bool)
			for _, e := range list {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Key
				}
				if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					word, _ := strconv.Unquote(lit.Value)
					if puppet.IsCore(word) {
						types[puppet.TypeName(word)] = true
					}
				}
			}
			if len(types) > most {
				t.Errorf("%s: a list of %d types of Puppet; put the fact into types.txt", files.Position(n.Pos()), len(types))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
