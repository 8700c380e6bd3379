package document

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/environment"
)

// LocationFlags are the flags of a command that prints the manifest lines of resources. Declare
// them with AddFlags.
type LocationFlags struct {
	SourceRoot string
	SourceURL  string
}

// AddFlags declares the flags.
func (f *LocationFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.SourceRoot, "source-root", "", "print manifests relative to `DIR`, as the compiler saw it; / keeps their paths (default: the checkout, or .../environments/NAME)")
	flags.StringVar(&f.SourceURL, "source-url", "", "link manifests to `URL`, with {path}, {line} and {environment}")
}

// Check returns a usage error for an invalid address.
func (f *LocationFlags) Check() error {
	switch {
	case f.SourceURL == "":
		return nil
	case !strings.HasPrefix(f.SourceURL, "https://") && !strings.HasPrefix(f.SourceURL, "http://"):
		return cli.Usage("--source-url: %q is not the address of a web page; for example: --source-url 'https://git.example.com/control/blob/{environment}/{path}#L{line}'", f.SourceURL)
	case !strings.Contains(f.SourceURL, "{path}"):
		return cli.Usage("--source-url: {path} is missing, for the path of the manifest")
	}
	return nil
}

// Locator returns the locator for an output, of catalogs that r reads. onStdout indicates that it is text on
// standard output, which has hyperlinks on a terminal with colours.
func (f *LocationFlags) Locator(s *cli.IOStreams, r *ReadFlags, onStdout bool) manifest.Locator {
	l := manifest.Locator{SourceRoot: f.root(), SourceURL: f.SourceURL, Checkout: checkout(), Terminal: onStdout && s.Hyperlinks()}
	if r.remote != nil {
		l.Repository = r.remote.InRepository
	}
	if l.Terminal {
		l.Host, _ = os.Hostname() // without a name, a terminal uses the machine that it runs on
	}
	return l
}

// root returns the source root; a relative one is below the working directory.
func (f *LocationFlags) root() string {
	if f.SourceRoot == "" || strings.HasPrefix(f.SourceRoot, "/") {
		return f.SourceRoot
	}
	dir, err := filepath.Abs(f.SourceRoot)
	if err != nil {
		return f.SourceRoot
	}
	return filepath.ToSlash(dir)
}

// checkout returns the spellings of the directory that manifests are relative to: the root of the
// git checkout or of the environment that contains the working directory, or else the working
// directory.
func checkout() []string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	dir = checkoutOf(dir)
	all := []string{dir}
	if physical, err := filepath.EvalSymlinks(dir); err == nil && physical != dir {
		all = append(all, physical)
	}
	return all
}

// checkoutOf returns the root of the checkout or of the environment that contains a directory, or
// else the directory itself.
func checkoutOf(dir string) string {
	if root := cli.Checkout(dir); root != "" {
		return root
	}
	const file = "/manifest"
	if below, name := environment.Cut(filepath.ToSlash(dir) + file); name != "" {
		return filepath.FromSlash(strings.TrimSuffix(filepath.ToSlash(dir)+file, "/"+below))
	}
	return dir
}
