package resolve

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/cmd/pcat/internal/unseal"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/deferred/external"
	"github.com/pcatdev/pcat/deferred/vault"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Providers are the flags for providers of calls besides the language and its modules.
type Providers struct {
	Table       string
	Plugins     []string // folders
	Environment []string // names of variables that plugins see
	Retries     int
	NodeKey     string // the file of a private key
	Ruby        string // a command; empty for none
	// Remote are the settings of the agent, with the certificate that Vault asks for. It
	// has no flag here.
	Remote *remote.Flags
}

// AddFlags declares the flags.
func (p *Providers) AddFlags(flags *pflag.FlagSet) {
	p.AddNames(flags, "; needs --allow run")
	flags.StringSliceVar(&p.Environment, "plugin-env", nil, "pass the environment variables `NAME,...` to plugins, Ruby and vault_lookup::lookup (default only PATH)")
	flags.StringVar(&p.NodeKey, "node-key", "", "answer calls of node_decrypt with the private key of the node in `FILE` (PEM)")
	flags.IntVar(&p.Retries, "retries", 3, "retry a temporary failure of a plugin (exit status 75) at most `N` times")
}

// AddNames declares the flags that name providers, for commands that call none. needs is
// appended to the usage of programs.
func (p *Providers) AddNames(flags *pflag.FlagSet, needs string) {
	flags.StringVar(&p.Table, "table", "", "answer calls from `FILE` (JSON or YAML)")
	flags.StringArrayVar(&p.Plugins, "plugin", nil, "answer calls by running programs: `DIR`/vault_lookup/lookup for vault_lookup::lookup"+needs)
	flags.StringVar(&p.Ruby, "ruby", "", "call the Ruby functions of --modulepath, and generate, template and inline_template, with the Ruby `COMMAND` and its Puppet"+needs)
	flags.Lookup("ruby").NoOptDefVal = "ruby"
}

// Check returns a usage error for invalid flags, given those of the world.
func (p *Providers) Check(world *language.Flags) error {
	if p.Retries < 0 {
		return cli.Usage("--retries cannot be negative")
	}
	if len(p.Environment) > 0 && len(p.Plugins) == 0 && p.Ruby == "" && !slices.Contains(world.Allow, "net") {
		return cli.Usage("--plugin-env needs --plugin, --ruby or --allow net")
	}
	return nil
}

// Finder returns the providers in their order: the table, the key of the node, the language and its
// modules, plugins, Ruby, Vault. end is called when no more calls are made.
func (p *Providers) Finder(ctx context.Context, s *cli.IOStreams, files *cli.InputFlags, modulePath []string, world *language.World) (f function.Finder, end func() error, err error) {
	all, end, err := p.programs(modulePath, world)
	if err != nil {
		return nil, nil, err
	}
	secrets, err := p.vault(s)
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	all = append(all, secrets)
	if p.Table == "" {
		return all, end, nil
	}
	data, err := language.ReadData(ctx, s, files, p.Table)
	if err != nil {
		return nil, nil, err
	}
	answers, err := deferred.ParseAnswers(data)
	if err != nil {
		return nil, nil, cli.BadInput(p.Table, "", err)
	}
	return deferred.NewTable(answers, all), end, nil
}

// programs returns the key of the node, the language, and behind it the programs. None is started.
func (p *Providers) programs(modulePath []string, world *language.World) (all deferred.Providers, end func() error, err error) {
	env, err := external.NewEnvironment(os.Environ(), p.Environment)
	if err != nil {
		return nil, nil, cli.Usage("--plugin-env: %w", err)
	}
	all = deferred.Providers{world.Finder}
	if p.NodeKey != "" {
		opener, err := unseal.OpenerOf(p.NodeKey)
		if err != nil {
			return nil, nil, err
		}
		decrypt := function.NewRegistry()
		if err := decrypt.Add(opener.Function()); err != nil {
			return nil, nil, err
		}
		all = deferred.Providers{decrypt, world.Finder} // a module has the function, too, in Ruby
	}
	for _, dir := range p.Plugins {
		plugins, err := external.NewPlugins(dir, external.PluginOptions{Codec: codec{world}, Environment: env, Retries: p.Retries})
		if err != nil {
			return nil, nil, cli.Usage("--plugin %s: %w", dir, cli.WithoutPath(err))
		}
		all = append(all, plugins)
	}
	if p.Ruby == "" {
		return all, func() error { return nil }, nil
	}
	o := external.RubyOptions{Codec: codec{world}, Command: p.Ruby, Environment: env, Facts: world.Facts}
	for _, paths := range modulePath {
		o.ModulePath = append(o.ModulePath, filepath.SplitList(paths)...)
	}
	ruby, err := external.NewRuby(o)
	if err != nil {
		return nil, nil, cli.Usage("--modulepath: %w", err)
	}
	return append(all, ruby), ruby.Close, nil
}

// vault returns the provider of vault_lookup::lookup. Only the variables that --plugin-env
// names count.
func (p *Providers) vault(s *cli.IOStreams) (*vault.Vault, error) {
	return vault.New(vault.Options{
		Getenv: func(name string) string {
			if !slices.Contains(p.Environment, name) {
				return ""
			}
			return s.Getenv(name)
		},
		TLS: func() (*tls.Config, error) {
			if p.Remote == nil {
				return nil, nil
			}
			_, settings, err := p.Remote.Client(s)
			if err != nil {
				return nil, err
			}
			return settings.SystemTLS()
		},
		Advice: "to pass a variable, use --plugin-env NAME",
	})
}

// codec encodes values for programs: rich data, as JSON on one line.
type codec struct{ world *language.World }

// Encode implements [external.Codec].
func (codec) Encode(v pcore.Value) ([]byte, error) {
	return formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
}

// Decode implements [external.Codec].
func (c codec) Decode(data []byte) (pcore.Value, error) {
	return formats.RichJSON().Decode(data, serialization.DecodeOptions{Types: richdata.Types{Resolver: c.world.Types}})
}
