package config_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
)

func TestImportOctocatalog(t *testing.T) {
	for _, tt := range []struct{ rule, want string }{
		{`Exec[*]`, `at: Exec[*]`},
		{`Your::Type[*/foo]`, `at: Your::Type[*/foo]`},
		{`Exec[a[1] b]`, `at: Exec[a[1] b]`},
		{`File[/x?]`, `at: File[/x?] | when: $title =~ /(?i:\A\/x\?\z)/`},

		{`File[/tmp/*]+`, `at: File[/tmp/*] | op: [add] | kind: [resource]`},
		{`File[/tmp/*]-+`, `at: File[/tmp/*] | op: [add, remove] | kind: [resource]`},
		{`File[/tmp/*]~!`, `at: File[/tmp/*] | when: $path != ''`},
		{`File[/tmp/*]+-~!`, `at: File[/tmp/*]`},
		{`File[/tmp/*]~`, `at: File[/tmp/*] | when: ($kind != array and $op == change)`},
		{`A[b]+!`, `at: A[b] | when: ($kind == resource and $op == add or ($kind == array or $path != '' and $op in [add, remove]))`},

		{`File[/x]::parameters::owner`, `at: File[/x]/parameters/owner`},
		{`File[/x]parameters::owner`, `at: File[/x]/**/parameters/owner`},
		{`*[*]FOO`, `at: '*[*]/**/FOO'`},
		{`File[/x]*`, `at: File[/x]`},
		{`FOO`, `at: '*[*]/**/FOO'`},
		{`a::b,::c`, `at: '*[*]/**/a/b' - at: '*[*]/c'`},
		{`A[b]+::parameters::foo`, `at: A[b]/parameters/foo | op: [add]`},
		{`A[b]-::parameters::foo`, `at: A[b]/parameters/foo | op: [remove]`},

		{`A[b]::parameters::o=>root`, `at: A[b]/parameters/o | when: ($old =~ Enum['root'] or $new =~ Enum['root'])`},
		{`A[b]::parameters::o=+>it's \1`, `at: A[b]/parameters/o | when: $new =~ Enum['it\'s \\1']`},
		{`A[b]+::parameters::o=->a::b`, `at: A[b]/parameters/o | op: [add] | when: $old =~ Enum['a::b']`},
		{`A[b]::parameters::o=s>=`, `at: A[b]/parameters/o | when: $old =~ Array and $new =~ Array and $old - $new == [] and $new - $old == []`},

		{`A[b]::parameters::c=~>ice cream`, `at: A[b]/parameters/c | any: (?i)ice cream`},
		{`A[b]::parameters::c=&>^[\-\+]line (old|new)$`, `at: A[b]/parameters/c | when: $lines != [] and $lines.all |$line| { $line.rstrip =~ /(?i:^[\-\+]line (old|new)$)/ }`},
		{`A[b]::parameters::c=&>^[-+]BUILD_ID=[^"]+$`, `at: A[b]/parameters/c | lines: (?i)^BUILD_ID=[^"]+\s*$`},
		{`A[b]::parameters::c=~>^(\+|-)#`, `at: A[b]/parameters/c | any: (?i)^#`},
		{`A[b]::parameters::c=~>^\+/etc`, `at: A[b]/parameters/c | when: $lines.any |$line| { $line.rstrip =~ /(?i:^\+\/etc)/ }`},
		{`A[b]::parameters::c=~>a{1,2}`, `at: A[b]/parameters/c | when: $lines.any |$line| { $line.rstrip =~ /(?i:a{1,2})/ }`},

		{`File[/a], Exec[b]`, `at: File[/a] - at: Exec[b]`},
	} {
		got, err := config.ImportOctocatalog(tt.rule)
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
			continue
		}
		text := strings.NewReplacer("ignore:\n  - ", "", "\n  - ", " - ", "\n    ", " | ").Replace(strings.TrimSpace(string(got)))
		if text != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.rule, text, tt.want)
		}
		if _, err := config.Parse("x", got, nil); err != nil {
			t.Errorf("%s: %v\n%s", tt.rule, err, got)
		}
	}
}

func TestImportOctocatalogFailure(t *testing.T) {
	for rule, want := range map[string]string{
		``:                               "expected Type[title]",
		`motd file`:                      "expected Type[title]",
		`+foo`:                           "expected Type[title]",
		`File[]`:                         "expected Type[title]",
		`File[/x`:                        "expected Type[title]",
		`Fi*[x]`:                         "expected Type[title]",
		`File[/x]::`:                     "expected Type[title]",
		`File[/x]::a::`:                  "the attribute ::a:: has no equivalent",
		`File[/x]::parameters::a/b`:      "contains no *, ? and /",
		`File[/x]::parameters::a=s>x`:    "=s> can only be followed by =",
		`File[/x]::parameters::a=~>(`:    "",
		`File[/a],2}`:                    "expected Type[title]",
		`File[/x]::parameters::a=?>root`: "expected Type[title]",
	} {
		got, err := config.ImportOctocatalog(rule)
		if err == nil || !strings.HasPrefix(err.Error(), rule+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v, want %q", rule, got, err, want)
		}
	}
}
