package leak

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/deferred/external"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// codec encodes values for programs.
type codec struct{}

func (codec) Encode(v pcore.Value) ([]byte, error) {
	return formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
}

func (codec) Decode(data []byte) (pcore.Value, error) {
	return formats.RichJSON().Decode(data, serialization.DecodeOptions{})
}

// environment returns an Environment with the canary.
func environment(t *testing.T) external.Environment {
	t.Helper()
	e, err := external.NewEnvironment([]string{"TOKEN=" + canary}, []string{"TOKEN"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPlugins runs plugins that receive the canary, return it, have it in their
// environment, and print it on failure.
func TestPlugins(t *testing.T) {
	dir := t.TempDir()
	for name, script := range map[string]string{
		"gives":   `cat >&2; echo '{"__ptype":"Sensitive","__pvalue":"` + canary + `"}'`,
		"fails":   `cat >&2; echo "$TOKEN" >&2; exit 1`,
		"waits":   `cat >&2; exit 75`,
		"babbles": `cat; echo; echo "` + canary + `"`,
		"floods":  `in=$(cat); i=0; while [ $i -lt 500 ]; do echo "$in" >&2; i=$((i+1)); done; exit 1`,
		"clear":   `in=$(cat); echo "\"$TOKEN\""`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	plugins, err := external.NewPlugins(dir, external.PluginOptions{
		Codec: codec{}, Environment: environment(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	r := resolver(t)
	r.Functions = deferred.Providers{r.Functions, plugins}
	r.Policy.Effects = function.RunsCommands
	r.Trace = func(e deferred.Event) {
		printed(t, "an event", e)
		noLeak(t, "an event", e.String())
	}
	machinery(t, "a resolver", r)
	machinery(t, "plugins", plugins)
	secret := pcore.NewSensitive(pcore.String(canary))
	list := func(values ...pcore.Value) *pcore.Array { return pcore.NewArray(values...) }
	failures := 0
	for _, name := range []string{"gives", "fails", "waits", "babbles", "floods", "clear"} {
		for _, v := range []pcore.Value{
			pcore.NewDeferred(name, list(secret, pcore.String("plain"))),
			pcore.NewSensitive(pcore.NewDeferred(name, list(pcore.NewHash(pcore.Entry{Key: pcore.String(canary), Value: pcore.Integer(1)})))),
			pcore.NewDeferred("inline_epp", list(pcore.String("<%= "+name+"($p.unwrap, \"x${p.unwrap}\") %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: secret}))),
			pcore.NewDeferred("inline_epp", list(pcore.String("<%= $p %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: pcore.NewDeferred(name, list(secret))}))),
		} {
			got, err := r.Resolve(context.Background(), v)
			if err != nil {
				failures++
				printed(t, name, err)
				continue
			}
			printed(t, name, got)
		}
	}
	if failures < 12 {
		t.Errorf("%d calls failed, which tests little", failures)
	}
}

// TestRuby does the same for Ruby functions.
func TestRuby(t *testing.T) {
	if err := exec.Command("ruby", "-rpuppet", "-e", "").Run(); err != nil {
		t.Skip("Puppet is not installed for Ruby; apt-get install puppet-agent, or run .ci/run")
	}
	modules := t.TempDir()
	dir := filepath.Join(modules, "my", "lib", "puppet", "functions", "my")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"raises": `raise Puppet::Error, "#{x} #{ENV['TOKEN']}"`,
		"warns":  `Puppet.warning(x); warn(x); puts(x); "got #{x}"`,
		"dies":   `warn(x); warn(ENV['TOKEN']); exit!(1)`,
	} {
		code := "Puppet::Functions.create_function(:'my::" + name + "') do\n def " + name + "(x)\n  x = x.unwrap if x.respond_to?(:unwrap)\n  " + body + "\n end\nend\n"
		if err := os.WriteFile(filepath.Join(dir, name+".rb"), []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ruby, err := external.NewRuby(external.RubyOptions{
		Codec: codec{}, ModulePath: []string{modules}, Environment: environment(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := ruby.Close(); err != nil {
			t.Error(err)
		}
	}()
	r := resolver(t)
	r.Functions = deferred.Providers{r.Functions, ruby}
	r.Policy.Effects = function.RunsCommands
	r.Trace = func(e deferred.Event) { printed(t, "an event", e) }
	for _, name := range []string{"warns", "raises", "dies"} {
		for _, v := range []pcore.Value{
			pcore.NewDeferred("my::"+name, pcore.NewArray(pcore.NewSensitive(pcore.String(canary)))),
			pcore.NewSensitive(pcore.NewDeferred("my::"+name, pcore.NewArray(pcore.String(canary)))),
		} {
			got, err := r.Resolve(context.Background(), v)
			if (err == nil) != (name == "warns") {
				t.Errorf("my::%s: %v", name, err)
			}
			if err != nil {
				printed(t, name, err)
			} else {
				printed(t, name, got)
			}
			machinery(t, "Ruby", ruby)
		}
	}
}
