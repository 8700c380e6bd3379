package remote

import (
	"strings"

	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/source"
)

// Topic is the word after `pcat help` for [About].
const Topic = "sources"

// Addresses describes the addresses that name catalogs of other systems, one a line.
const Addresses = `  puppetdb:                           all active nodes
  puppetdb:CERTNAME                   one node
  'puppetdb:?query=nodes{…}'          the nodes of a query, PQL or AST
  puppetdb://HOST:PORT/…              with another host than in puppetdb.conf
  'puppetserver:CERTNAME?environment=E'
                                      a catalog that is compiled now
  'puppetserver:?environment=E&query=QUERY'
                                      for the nodes of a query
  'puppetdb:CERTNAME?what=WHAT'       reports, events, facts or resources of a
                                      node; &since=TIME instead of the last run
  agent:                              the catalog cached by the agent here; for
                                      audit, with the last report and the facts
`

// About returns the help about catalogs of other systems.
func About() string {
	return `Commands that read catalogs take these in place of files:

` + Addresses + `
Quote an address with a question mark or braces. Addresses are arguments, not
lines of --files-from.

Servers, certificates and time-outs come from the agent's puppet.conf and from
puppetdb.conf. --setting NAME=VALUE replaces one of these settings:

  ` + terminal.Wrap(strings.Join(source.SettingNames(), ", "), "  ", 78) + `

puppetserver: compiles with the API v4, which stores nothing, or for this node
in its environment with v3, which stores the catalog in PuppetDB. --api chooses
one of them. The server must allow the certname of this machine to do so.

Examples:
  pcat audit puppetdb:
  pcat show puppetserver:web01 'File[/etc/motd]'
  pcat diff puppetdb:web01 'puppetserver:web01?environment=feature'
  sudo pcat audit agent:
  pcat fetch --output-dir catalogs puppetdb:
`
}
