// Package remote connects package source with the commands: [Flags] turn
// arguments such as puppetdb:web01 into inputs.
package remote

import (
	"context"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/source"
)

// Flags are the flags of a command that reads catalogs from other systems.
// Declare them with AddFlags. They must not be copied.
type Flags struct {
	Settings []string // NAME=VALUE, as in puppet.conf
	API      string   // of Puppet Server; empty means the choice of the address
	// Nodes is the query for addresses without a node and without a query of their own.
	// Commands declare its flag.
	Nodes string
	// Compile are the flags for addresses of catalogs that are compiled from a repository.
	Compile CompileFlags
	// WithRun adds to the catalog of the agent its last report and its facts.
	WithRun bool

	once     sync.Once
	settings *source.Settings
	client   *source.Client
	err      error
}

// AddFlags declares the flags.
func (f *Flags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.Settings, "setting", nil, "use `NAME=VALUE` instead of the setting in puppet.conf; repeatable")
	flags.StringVar(&f.API, "api", "", "compile with API `VERSION` v3, which stores the catalog, or v4 (default v3 for this node in its environment, else v4)")
	cli.CompleteFlag(cmd, "api", "v3", "v4")
	manual.Group(flags, `Flags for puppetdb:, puppetserver: and agent: (see "pcat help `+Topic+`")`, "setting", "api")
	manual.Environment(cmd,
		manual.Fact{Name: "HOME", Meaning: "for puppetdb:, puppetserver: and agent:, the directory with the configuration of a user who is not root"},
		manual.Fact{Name: "HTTPS_PROXY, HTTP_PROXY, NO_PROXY", Meaning: "proxies for puppetdb: and puppetserver:, unless puppet.conf names one"},
	)
	manual.Files(cmd,
		manual.Fact{Name: "/etc/puppetlabs/puppet/puppet.conf", Meaning: "the settings for puppetdb:, puppetserver: and agent:; without this directory /etc/puppet/puppet.conf, and for users other than root the file below HOME"},
		manual.Fact{Name: "~/.puppetlabs/client-tools/puppetdb.conf", Meaning: "the addresses of PuppetDB; without it /etc/puppetlabs/client-tools/puppetdb.conf, or puppetdb.conf beside puppet.conf"},
	)
	names := source.SettingNames()
	for i := range names {
		names[i] += "="
	}
	cli.CompleteFlag(cmd, "setting", names...)
	f.Compile.addFlags(cmd)
}

// IsAddress reports whether an argument begins like the address of catalogs.
func IsAddress(arg string) bool { return source.IsAddress(arg) || compile.IsAddress(arg) }

// Client returns the settings of the flags, and a client for them. Each call returns the same.
func (f *Flags) Client(s *cli.IOStreams) (*source.Client, *source.Settings, error) {
	f.once.Do(func() {
		override := make(map[string]string, len(f.Settings))
		for _, one := range f.Settings {
			name, value, ok := strings.Cut(one, "=")
			if !ok {
				f.err = cli.Usage("--setting %s: use NAME=VALUE, such as --setting server=puppet.example.com", one)
				return
			}
			override[name] = value
		}
		if f.settings, f.err = source.ReadSettings(override); f.err != nil {
			f.err = cli.Usage("%w", f.err)
			return
		}
		f.client = source.NewClient(f.settings, s.Log)
	})
	return f.client, f.settings, f.err
}

// lazyClient returns a function that returns the client.
func (f *Flags) lazyClient(s *cli.IOStreams) func() (*source.Client, error) {
	return func() (*source.Client, error) {
		client, _, err := f.Client(s)
		return client, err
	}
}

// Address parses an argument.
func (f *Flags) Address(arg string) (source.Address, error) {
	a, err := source.ParseAddress(arg)
	if err != nil {
		return a, cli.Usage("%s: %w", withoutUser(arg), err)
	}
	if a.System == source.PuppetServer && a.API == "" {
		a.API = f.API
	}
	if a.System != source.Agent && a.Node == "" && a.Query == "" {
		a.Query = f.Nodes
	}
	return a, nil
}

// withoutUser returns an address without a user and a password.
func withoutUser(arg string) string {
	if at := strings.LastIndex(arg, "@"); at >= 0 {
		scheme, _, _ := strings.Cut(arg, ":")
		return scheme + ":…" + arg[at:]
	}
	return arg
}

// With returns the inputs for a command with the given streams.
func (f *Flags) With(s *cli.IOStreams) cli.Remotes { return remotes{f, s} }

type remotes struct {
	flags   *Flags
	streams *cli.IOStreams
}

// Named implements cli.Remotes.
func (r remotes) Named(arg string) bool { return IsAddress(arg) }

// List implements cli.Remotes.
func (r remotes) List(ctx context.Context, arg string) (inputs []cli.Remote, one bool, err error) {
	if compile.IsAddress(arg) {
		return r.flags.Compile.list(ctx, r.streams, r.flags.lazyClient(r.streams), arg)
	}
	a, err := r.flags.Address(arg)
	if err != nil {
		return nil, false, err
	}
	client, _, err := r.flags.Client(r.streams)
	if err != nil {
		return nil, false, err
	}
	all, err := client.List(ctx, a)
	if err != nil {
		return nil, false, cli.BadRemote(arg, err)
	}
	if r.flags.WithRun && a.System == source.Agent && a.What == "" {
		for _, each := range all {
			all = append(all, client.AgentDocuments(each)...)
		}
	}
	for _, each := range all {
		inputs = append(inputs, cli.Remote{
			Name: each.String(), Node: each.Node,
			Read: func(ctx context.Context, limit int64) ([]byte, error) { return client.Read(ctx, each, limit) },
		})
	}
	return inputs, a.Node != "" || a.System == source.Agent, nil
}
