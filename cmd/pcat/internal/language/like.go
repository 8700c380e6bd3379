package language

import (
	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/pcore"
)

// likeEnv is the environment variable with the default of --like.
const likeEnv = "PCAT_LIKE"

// LikeFlag is --like, which selects a version of Puppet. The zero value, of a command
// without the flag, is the default reference, and ignores the environment.
type LikeFlag struct {
	name     string
	declared bool
}

// AddFlags declares the flag.
func (l *LikeFlag) AddFlags(cmd *cobra.Command) {
	l.declared = true
	cmd.Flags().StringVar(&l.name, "like", "", "behave like `VERSION`: puppet7, puppet8, openvox8, openvox9\n(default $PCAT_LIKE, or openvox8)")
	manual.Environment(cmd, manual.Fact{Name: likeEnv, Meaning: "the default of --like"})
	var names []string
	for _, r := range pcore.References() {
		names = append(names, r.String())
	}
	cli.CompleteFlag(cmd, "like", names...)
}

// Reference returns the reference of the flag or else of the environment.
func (l *LikeFlag) Reference(s *cli.IOStreams) (pcore.Reference, error) {
	name, from := l.name, "--like"
	if name == "" && l.declared {
		name, from = s.Getenv(likeEnv), likeEnv
	}
	switch name {
	case "":
		return pcore.OpenVox8, nil
	case "openvox": // the name that resolve had for it
		return pcore.OpenVox9, nil
	}
	r, err := pcore.ParseReference(name)
	if err != nil {
		return r, cli.Usage("%s: %w", from, err)
	}
	return r, nil
}
