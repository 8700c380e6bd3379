package auditconfig_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/auditconfig"
)

// The file is valid, and so are its examples, which cover every setting.
func TestInitial(t *testing.T) {
	c, err := auditconfig.Parse([]byte(auditconfig.Initial()))
	if err != nil || !reflect.DeepEqual(c, &auditconfig.Config{}) {
		t.Errorf("got %+v, %v", c, err)
	}
	examples := regexp.MustCompile(`(?m)^#(\S|  )`).ReplaceAllString(auditconfig.Initial(), "$1")
	c, err = auditconfig.Parse([]byte(examples))
	if err != nil {
		t.Fatalf("%v in\n%s", err, examples)
	}
	for i, v := 0, reflect.ValueOf(*c); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("there is no example of %s", v.Type().Field(i).Name)
		}
	}
	if len(c.Allow) != 1 || len(c.Rules) != 1 || len(c.Names.Secret) != 1 || len(c.Names.Harmless) != 1 {
		t.Errorf("got %+v", c)
	}
	for line := range strings.Lines(auditconfig.Initial()) {
		if len(line) > 81 {
			t.Errorf("a long line: %s", line)
		}
	}
}
