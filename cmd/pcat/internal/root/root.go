// Package root puts the commands of pcat together and runs them.
package root

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/version"
)

// NewCmd returns the command tree, or as much of it as the arguments args need; without
// arguments it is complete. Settings that every command has are applied to s before a
// command runs.
func NewCmd(s *cli.IOStreams, args ...string) *cobra.Command {
	var settings cli.Settings
	cmd := &cobra.Command{
		Use:   "pcat",
		Short: "Convert, resolve, redact and audit Puppet and OpenVox catalogs",
		Long: `pcat converts, resolves, redacts and audits Puppet and OpenVox catalogs. It
reads and writes the same bytes as Puppet, and needs no Ruby.

Commands read files, directories, glob patterns, or standard input (-). They
detect the format of each input, and decompress gzip and zstd. Catalogs of PuppetDB,
Puppet Server and the agent are inputs, too: see "pcat help sources". For help
on one command, run "pcat COMMAND --help".`,
		Example: `  pcat audit catalog.json
  pcat redact catalog.json > shareable.json
  pcat ls --long catalog.json
  pcat show catalog.json 'File[/etc/motd]'
  pcat convert -t rich-json catalog.msgpack
  pcat resolve --facts facts.json catalog.json`,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return runRoot(s, cmd, args) },
		PersistentPreRunE: func(*cobra.Command, []string) error { return s.Apply(settings) },
		SilenceErrors:     true,
		SilenceUsage:      true,
	}
	cmd.AddGroup(groups()...)
	for _, e := range needed(args) {
		c := e.make(s)
		c.GroupID = e.group
		cmd.AddCommand(c)
	}
	cmd.SetHelpCommand(helpCmd())
	cmd.InitDefaultHelpCmd()
	cmd.CompletionOptions.DisableDefaultCmd = true
	settings.AddFlags(cmd.PersistentFlags())
	cli.CompleteFlag(cmd, "color", "auto", "always", "never")
	cli.CompleteFlag(cmd, "log-format", "text", "json")
	cmd.Flags().Bool(versionFlag, false, "print the version of pcat")
	cli.Describe(cmd)
	cmd.SetIn(s.In)
	cmd.SetOut(s.Out)
	cmd.SetErr(s.Err)
	cmd.SetFlagErrorFunc(flagError)
	for _, c := range allCommands(cmd) {
		c.InitDefaultHelpFlag()
		c.DisableFlagsInUseLine = true
		c.Args = usageArgs(c.Args)
		if run := c.RunE; run != nil {
			c.RunE = func(cmd *cobra.Command, args []string) error {
				if err := checkEffects(cmd, args); err != nil {
					return err
				}
				return run(cmd, args)
			}
		}
		switch {
		case !c.HasParent() || c.ValidArgsFunction != nil:
		case c.Use == c.Name():
			c.ValidArgsFunction = cobra.NoFileCompletions
		case c.HasSubCommands():
			c.ValidArgsFunction = cli.FilesBesideCommands
		}
	}
	return cmd
}

// unmark removes the back quotes from the usages of flags. Help removes them itself, but
// shells show them in completions.
func unmark(cmd *cobra.Command) {
	for _, c := range allCommands(cmd) {
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	}
}

// versionFlag is the flag that scripts usually try first.
const versionFlag = "version"

// runRoot answers pcat without a command, or with one that does not exist.
func runRoot(s *cli.IOStreams, cmd *cobra.Command, args []string) error {
	switch asked, err := cmd.Flags().GetBool(versionFlag); {
	case err != nil:
		return err
	case len(args) > 0:
		return noCommand(cmd, args[0])
	case asked:
		return version.Run(cmd.Context(), &version.Options{Streams: s, Build: debug.ReadBuildInfo})
	default:
		return cmd.Help()
	}
}

// Main runs pcat with the arguments and streams of this process and returns its exit code.
func Main() int {
	s, args := cli.System(), os.Args[1:]
	work := func(ctx context.Context) cli.ExitCode { return execute(ctx, s, NewCmd(s, args...), args) }
	if isBrief(args) {
		return int(work(context.Background()))
	}
	return supervise(s, work)
}

// supervise calls work and waits until it is done or a signal arrives. A signal removes unfinished files and ends pcat
// immediately.
func supervise(s *cli.IOStreams, work func(context.Context) cli.ExitCode) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	// With a listener, a broken pipe becomes a write error, and pcat ends normally.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)

	done := make(chan cli.ExitCode, 1)
	go func() { done <- work(ctx) }()
	select {
	case code := <-done:
		return int(code)
	case sig := <-signals:
		cancel()
		s.Abort()
		return signalCode(sig)
	}
}

// signalCode returns the exit code that shells report for a process ended by the signal.
func signalCode(sig os.Signal) int {
	if number, ok := sig.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return int(cli.ExitInternal)
}

// execute runs the command tree and reports its error.
func execute(ctx context.Context, s *cli.IOStreams, cmd *cobra.Command, args []string) (code cli.ExitCode) {
	defer func() {
		if p := recover(); p != nil {
			s.Abort()
			s.Log.Error("internal error: please report it, with the output of -v", "cause", panicText(p))
			s.Log.Info("stack", "trace", string(debug.Stack()))
			code = cli.ExitInternal
		}
	}()
	cmd.SetArgs(args)
	if logsJSON(args) { // settings are applied too late for errors of the command line
		_ = s.Apply(cli.Settings{LogFormat: logJSON}) // is valid
	}
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		unmark(cmd)
	}
	var unwritten error
	setHelp(cmd, s, &unwritten)
	ran, err := cmd.ExecuteContextC(ctx)
	s.End()
	if errors.Is(err, cli.ErrNoInput) {
		err = noInput(s, ran)
	}
	err = errors.Join(err, unwritten)
	s.Report(err)
	return cli.CodeOf(err)
}

// logJSON is the value of --log-format for messages as JSON.
const logJSON = "json"

// logsJSON reports whether args ask for messages as JSON.
func logsJSON(args []string) bool {
	for i, arg := range args {
		switch {
		case arg == "--":
			return false
		case arg == "--log-format="+logJSON, arg == "--log-format" && i+1 < len(args) && args[i+1] == logJSON:
			return true
		}
	}
	return false
}

// noInput prints the help of a command without input to standard error, because it is not data.
func noInput(s *cli.IOStreams, cmd *cobra.Command) error {
	cmd.SetOut(s.Err)
	if err := cmd.Help(); err != nil {
		return err
	}
	return cli.Exit(cli.ExitUsage)
}

// panicText returns a description of a panic with only the words of the Go runtime: other texts could contain data.
func panicText(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a panic with a %T", p)
}
