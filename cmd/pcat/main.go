// Command pcat converts, resolves, redacts and audits Puppet and OpenVox catalogs.
//
// Run pcat help for a list of commands, and pcat COMMAND --help for one command.
package main

import (
	"os"

	"github.com/pcatdev/pcat/cmd/pcat/internal/root"
)

func main() {
	os.Exit(root.Main())
}
