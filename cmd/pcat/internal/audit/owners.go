package audit

import (
	"os"
	"slices"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// owners returns the owners of the configuration or, if it has none, those of the CODEOWNERS file
// of the checkout that manifests are relative to.
func (opts *Options) owners(d *decisions) (*auditconfig.Owners, error) {
	file := d.config.OwnersFile(d.file)
	if file == "" {
		if len(d.config.Owners.Names()) > 0 || opts.Decided.NoConfig {
			return &d.config.Owners, nil
		}
		if file = opts.codeOwners(); file == "" {
			return &d.config.Owners, nil
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	owners, skipped := auditconfig.ParseCodeOwners(text)
	for _, line := range skipped {
		opts.Streams.Log.Warn("skipped "+line, cli.FileKey, file)
	}
	return owners, nil
}

// codeOwners returns the CODEOWNERS file of the checkout, or "" if there is none.
func (opts *Options) codeOwners() string {
	l := opts.Location.Locator(opts.Streams, &opts.Read, false)
	for _, dir := range append([]string{l.SourceRoot}, l.Checkout...) {
		if file, err := auditconfig.FindCodeOwners(dir); dir != "" && err == nil {
			return file
		}
	}
	return ""
}

// checkOwners returns a usage error if a pattern of --owner matches no owner, because a mistyped one
// would hide all findings.
func (opts *Options) checkOwners(owners *auditconfig.Owners) error {
	unknown := opts.Filter.UnknownOwners(owners)
	if len(unknown) == 0 {
		return nil
	}
	names := owners.Names()
	if len(names) == 0 {
		return cli.Usage("--owner %s: no owners are known: the checkout has no CODEOWNERS, and the configuration no owners", unknown[0])
	}
	return cli.Usage("--owner %s: no manifest has this owner%s", unknown[0], cli.DidYouMean(unknown[0], slices.Values(names)))
}
