package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/config"
)

// TestReference checks that the page about the configuration has each setting, and that its
// examples are valid and use each setting.
func TestReference(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit-config.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	examples := ""
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(page, -1) {
		if _, err := config.Parse([]byte(block[1])); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
		}
		examples += block[1]
	}
	settings := 0
	for _, v := range []reflect.Type{reflect.TypeFor[config.Config](), reflect.TypeFor[config.Entry](), reflect.TypeFor[config.Condition]()} {
		for i := range v.NumField() {
			name := v.Field(i).Tag.Get("yaml")
			if name == "" || name == "-" {
				continue
			}
			settings++
			if !regexp.MustCompile("(?m)^\\| \\[?`" + name + "`").MatchString(page) {
				t.Errorf("the page has no row for %s of %s", name, v.Name())
			}
			described := v == reflect.TypeFor[config.Config]() || v == reflect.TypeFor[config.Condition]()
			if described && !strings.Contains(examples, name+":") {
				t.Errorf("no example has %s", name)
			}
		}
	}
	if settings < 20 {
		t.Errorf("%d settings are found", settings)
	}
}
