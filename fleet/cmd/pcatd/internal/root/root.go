// Package root contains the commands of pcatd.
package root

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
)

// The exit statuses.
const (
	exitDone = iota
	exitChanges
	exitError
	exitInput
)

// stateEnv is the environment variable with the default of --state.
const stateEnv = "PCATD_STATE"

func statuses() manual.Statuses {
	return manual.Statuses{"done", "pcatd changes found changes", "invalid command line, or an error", "a catalog cannot be read or compared"}
}

// exit is an error with an exit status. Without a cause, it prints nothing.
type exit struct {
	status int
	err    error
}

// Error implements error.
func (e *exit) Error() string {
	if e.err == nil {
		return statuses()[e.status]
	}
	return e.err.Error()
}

// Main runs a command until it ends or the process is interrupted, and returns the exit
// status.
func Main(args []string, out, messages io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	withoutCore()
	return Run(ctx, args, out, messages)
}

// Run runs a command until it ends or ctx does, and returns the exit status.
func Run(ctx context.Context, args []string, out, messages io.Writer) int {
	cmd := NewCmd()
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(messages)
	err := cmd.ExecuteContext(ctx)
	var e *exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e) && e.err == nil:
		return e.status
	}
	complain(messages, err)
	if e != nil {
		return e.status
	}
	return exitError
}

// complain writes an error as one line.
func complain(w io.Writer, err error) {
	_, _ = fmt.Fprintln(w, "pcatd:", terminal.Line(strings.TrimSpace(err.Error()))) // it cannot be reported elsewhere
}

// command has the flags of all commands.
type command struct {
	connection daemon.Connection
	verbose    bool
}

// The groups of commands.
const (
	groupRun   = "run"
	groupAsk   = "ask"
	groupAbout = "about"
)

// NewCmd returns the commands.
func NewCmd() *cobra.Command {
	c := new(command)
	cmd := &cobra.Command{
		Use:   "pcatd",
		Short: "Audit the catalogs of a fleet as they arrive",
		Long: `pcatd keeps the newest catalog of each node of a fleet, and finds the secrets in
them as "pcat audit" does: a secret of one catalog is searched for in all.

"pcatd serve" stores the catalogs, and coordinates and audits. "pcatd worker"
audits, too, on the same machine or another one. All data is encrypted with the
fleet key, the file fleet.key in the state folder. Every user who can read this
file can read all secrets of the fleet.

The variable PCATD_STATE is the default of --state.`,
		Example: `  export PCATD_STATE=$HOME/pcatd
  pcatd serve --folder compiled=/srv/catalogs
  pcatd ingest web01.json
  pcatd status --wait
  pcatd report`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknown(cmd, args)
			}
			return nil
		},
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, _ = io.WriteString(cmd.OutOrStdout(), manual.Help(cmd, 0, statuses())) // it cannot be reported elsewhere
	})
	f := cmd.PersistentFlags()
	f.SortFlags = false
	f.StringVar(&c.connection.State, "state", os.Getenv(stateEnv), "the state `DIR`, with the fleet key")
	f.Lookup("state").DefValue = "" // help is the same everywhere
	manual.Environment(cmd, manual.Fact{Name: stateEnv, Meaning: "the default of --state"})
	f.StringVar(&c.connection.URL, "nats", "", "the `URL` of a NATS server, instead of the embedded one; several with commas")
	f.StringVar(&c.connection.KeyFile, "key-file", "", "the `FILE` with the fleet key, if it is not in the state folder")
	f.StringVar(&c.connection.Credentials, "credentials", "", "a `FILE` with credentials for the NATS server: a .creds file, or one line USER:PASSWORD")
	f.StringVar(&c.connection.TLS.Certificate, "tls-cert", "", "the `FILE` with the certificate for NATS over TLS")
	f.StringVar(&c.connection.TLS.Key, "tls-key", "", "the `FILE` with its private key")
	f.StringVar(&c.connection.TLS.CA, "tls-ca", "", "the `FILE` with the CA of both sides")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "log more")
	cmd.AddGroup(&cobra.Group{ID: groupRun, Title: "Run a fleet"}, &cobra.Group{ID: groupAsk, Title: "Deliver and ask"}, &cobra.Group{ID: groupAbout, Title: "About pcatd"})
	add := func(group string, list ...*cobra.Command) {
		for _, one := range list {
			one.GroupID = group
			one.Flags().SortFlags = false
			one.DisableFlagsInUseLine = true
			cmd.AddCommand(one)
		}
	}
	add(groupRun, c.serve(), c.worker(), c.accept(), c.dead(), c.export(), c.imports(), c.key())
	add(groupAsk, c.ingest(), c.status(), c.report(), c.findings(), c.changes(), c.events())
	add(groupAbout, completionCmd(), manCmd(), versionCmd())
	help := &cobra.Command{
		Use: "help [COMMAND]", Short: "Show help for a command", GroupID: groupAbout,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknown(cmd.Root(), args)
			}
			return about.Help()
		},
	}
	cmd.SetHelpCommand(help)
	return cmd
}

// unknown returns the error for a command that does not exist.
func unknown(cmd *cobra.Command, args []string) error {
	return fmt.Errorf("unknown command %q: see %s --help", strings.Join(args, " "), cmd.CommandPath())
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected %q: see %s --help", args[0], cmd.CommandPath())
	}
	return nil
}

// version returns the version of this program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version + " " + info.GoVersion
	}
	return "unknown"
}

// release returns the version as SemVer writes it, empty for a program that was not released.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !strings.HasPrefix(info.Main.Version, "v") {
		return ""
	}
	return info.Main.Version[1:]
}

func versionCmd() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Long: `Print the version of pcatd and of Go.`, Example: `  pcatd version`, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "pcatd", version())
			return err
		},
	}
}

// log returns the log of a command.
func (c *command) log(cmd *cobra.Command, level slog.Level) *slog.Logger {
	if c.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
}

// reader calls f with a connection to the fleet, for which the key of a reader is enough. It
// waits for a server that starts if wait is set.
func (c *command) reader(cmd *cobra.Command, wait bool, timeout time.Duration, f func(context.Context, *daemon.Client) error) error {
	as := *c
	as.connection.Reader = true
	return as.client(cmd, wait, timeout, f)
}

// client calls f with a connection to the fleet. It waits for a server that starts if wait
// is set.
func (c *command) client(cmd *cobra.Command, wait bool, timeout time.Duration, f func(context.Context, *daemon.Client) error) error {
	patience := time.Duration(0)
	if wait {
		patience = timeout
	}
	s, err := c.connection.Await(cmd.Context(), patience, c.log(cmd, slog.LevelWarn))
	if err != nil {
		return err
	}
	defer s.Close()
	return f(cmd.Context(), &daemon.Client{Store: s, Timeout: timeout})
}
