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
  'compile:CERTNAME?ref=BRANCH'       a catalog that Puppet compiles here, of a
                                      branch, tag or commit of a repository
  'compile:?ref=BRANCH'               all nodes with facts
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

compile: needs Puppet on this machine, a control repository in Git, and the facts
of the nodes. Without ref=, or with ref=., it compiles the working tree with its
changes. More parameters are repo=DIR, dir=DIR, the directory of the environment
if it is not the root, facts=PATH, a directory with CERTNAME.json or puppetdb:,
and environment=NAME. Defaults are in
.pcat-compile.yaml; "pcat compile" shows what was found and what is missing.
diff, audit and redact --check also read the files that catalogs copy from
modules, by source => 'puppet:///modules/...'; check warns of missing ones.
Compiling runs the code of the branch as you: compile only branches whose authors
may do that.

Examples:
  pcat audit puppetdb:
  pcat show puppetserver:web01 'File[/etc/motd]'
  pcat diff puppetdb:web01 'puppetserver:web01?environment=feature'
  sudo pcat audit agent:
  pcat audit 'compile:?ref=feature'
  pcat diff --compile main..feature
  pcat fetch --output-dir catalogs puppetdb:
`
}
