// Package completion is the command pcat completion, which writes a script that lets a shell
// complete the words of a pcat command line.
package completion

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Root    *cobra.Command
	Shell   string
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Generate a shell completion script",
		Long: `Generate a script that completes the commands and flags of pcat. SHELL is bash,
zsh, fish or powershell. The script for bash needs the package bash-completion.`,
		Example: `  source <(pcat completion bash)
  pcat completion bash > /etc/bash_completion.d/pcat
  pcat completion zsh > "${fpath[1]}/_pcat"
  pcat completion fish > ~/.config/fish/completions/pcat.fish
  pcat completion powershell | Out-String | Invoke-Expression`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Root, opts.Shell = cmd.Root(), args[0]
			return Run(cmd.Context(), opts)
		},
	}
}

// Run writes the script to standard output.
func Run(ctx context.Context, opts *Options) error {
	generate, err := generator(opts.Root, opts.Shell)
	if err != nil {
		return err
	}
	return new(cli.OutputFlags).Write(ctx, opts.Streams, nil, generate)
}

func generator(root *cobra.Command, shell string) (func(io.Writer) error, error) {
	switch shell {
	case "bash":
		return edited(func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, bashEdits()), nil
	case "zsh":
		return edited(root.GenZshCompletion, zshEdits()), nil
	case "fish":
		return edited(func(w io.Writer) error { return root.GenFishCompletion(w, true) }, fishEdits()), nil
	case "powershell":
		return root.GenPowerShellCompletionWithDesc, nil
	default:
		return nil, cli.Usage("unknown shell %q; use bash, zsh, fish or powershell", shell)
	}
}

// edit replaces a text that a script of cobra contains once. Cobra passes words to pcat as they are typed; the edited
// scripts pass them as the shell would if the line was run: 'File[/a without the quote that is still open.
type edit struct{ old, new string }

// bashEdits complete inside of quotes. Words that would end the quote, or that the shell would expand, are left out.
func bashEdits() []edit {
	return []edit{
		{"    local cur prev words cword split\n\n    COMPREPLY=()", "    local cur prev words cword split quote\n\n    COMPREPLY=()"},
		{`    args=("${words[@]:1}")
`, `    args=("${words[@]:1}")
    if [[ ${cur} == [\'\"]* ]]; then
        quote=${cur:0:1}
        cur=${cur:1}
        args[${#args[@]}-1]=$(printf %q "$cur")
    fi
`},
		{`if [[ -z ${cur} && ${lastChar} != = ]]; then`, `if [[ -z ${cur} && -z ${quote} && ${lastChar} != = ]]; then`},
		{`if [[ "${completions[*]}" != *$tab* ]]; then`, `if [[ -z ${quote} && "${completions[*]}" != *$tab* ]]; then`},
		{`        [[ $comp == "$cur"* ]] || continue
`, `        if [[ -n ${quote} ]]; then
            comp=${compline%%$tab*}
            [[ ${quote} == \' && ${comp} != *\'* || ${quote} == \" && ${comp} != *[\"\\\$\!\` + "`" + `]* ]] || continue
        fi
        [[ $comp == "$cur"* ]] || continue
`},
		{`        COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]%%$tab*}")
`, `        COMPREPLY[0]=${COMPREPLY[0]%%$tab*}
        [[ -n ${quote} ]] || COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]}")
`},
		{`    __pcat_handle_special_char "$cur" :
    __pcat_handle_special_char "$cur" =
`, `    if [[ -z ${quote} ]]; then
        __pcat_handle_special_char "$cur" :
        __pcat_handle_special_char "$cur" =
    fi
`},
	}
}

// zshEdits complete a pattern, which zsh asks before a name: zsh has a completion for an old program called pcat, whose
// name replaces that of every other function, wherever it is installed.
func zshEdits() []edit {
	return []edit{
		{"#compdef pcat\n", "#compdef -p pcat\n"},
		{"\n_pcat()\n{\n", "\n_pcat()\n{\n    _compskip=all # not also the old program\n"},
		{`words=("${=words[1,CURRENT]}")`, `words=("${(@)words[1,CURRENT]}")`},
		{`requestComp="${words[1]} __complete ${words[2,-1]}"`, `local -a typed=("${(@Q)words[2,-1]}")
    typed[-1]="${(Q)PREFIX}"
    requestComp="${words[1]} __complete ${(j: :)${(@qq)typed}}"`},
		{`requestComp="${requestComp} \"\""`, `: # it is among the words`},
	}
}

func fishEdits() []edit {
	return []edit{
		{"    set -l lastArg (string escape -- (commandline -ct))\n", `    set -l token (commandline -ct)
    set -l plain (string unescape -- "$token")
    or set plain (string replace -r -- '^[\'"]' '' "$token")
    set -l lastArg (string escape -- "$plain")
    set -l typed
    for word in $args[2..-1]
        set -a typed (string escape -- $word)
    end
`},
		{`__complete $args[2..-1] $lastArg"`, `__complete $typed $lastArg"`},
	}
}

// edited returns a generator that applies the edits to what another one writes.
func edited(generate func(io.Writer) error, edits []edit) func(io.Writer) error {
	return func(w io.Writer) error {
		var b bytes.Buffer
		if err := generate(&b); err != nil {
			return err
		}
		script := b.Bytes()
		for _, e := range edits {
			if bytes.Count(script, []byte(e.old)) != 1 {
				return errors.New("unexpected completion script")
			}
			script = bytes.Replace(script, []byte(e.old), []byte(e.new), 1)
		}
		_, err := w.Write(script)
		return err
	}
}
