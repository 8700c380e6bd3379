// Command pcatd audits the catalogs of a fleet as they arrive.
//
// Run pcatd help for a list of commands, and pcatd COMMAND --help for one command.
package main

import (
	"os"

	"github.com/pcatdev/pcat/fleet/cmd/pcatd/internal/root"
)

func main() {
	os.Exit(root.Main(os.Args[1:], os.Stdout, os.Stderr))
}
