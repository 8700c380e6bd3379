package auditconfig_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/auditconfig"
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
		if _, err := auditconfig.Parse([]byte(block[1])); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
		}
		examples += block[1]
	}
	settings := 0
	for _, v := range []reflect.Type{reflect.TypeFor[auditconfig.Config](), reflect.TypeFor[auditconfig.Entry](), reflect.TypeFor[auditconfig.Condition]()} {
		for i := range v.NumField() {
			name := v.Field(i).Tag.Get("yaml")
			if name == "" || name == "-" {
				continue
			}
			settings++
			if !regexp.MustCompile("(?m)^\\| \\[?`" + name + "`").MatchString(page) {
				t.Errorf("the page has no row for %s of %s", name, v.Name())
			}
			described := v == reflect.TypeFor[auditconfig.Config]() || v == reflect.TypeFor[auditconfig.Condition]()
			if described && !strings.Contains(examples, name+":") {
				t.Errorf("no example has %s", name)
			}
		}
	}
	if settings < 20 {
		t.Errorf("%d settings are found", settings)
	}
}
