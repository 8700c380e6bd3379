package remote

import (
	"strings"

	"github.com/pcatdev/pcat/internal/source"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Topic is the word after `pcat help` for [About].
const Topic = "sources"

// Addresses describes the addresses that name catalogs of other systems, one a line.
const Addresses = `  puppetdb:                           all active nodes
  puppetdb:CERTNAME                   one node
  'puppetdb:?query=nodes{…}'          the nodes of a query, PQL or AST
  puppetdb://HOST:PORT/…              on another host than in puppetdb.conf
  'puppetserver:CERTNAME?environment=E'
                                      a catalog compiled by Puppet Server
  'puppetserver:?environment=E&query=QUERY'
                                      catalogs for the nodes of a query
  'puppetdb:CERTNAME?what=WHAT'       reports, events, facts or resources of a
                                      node; &since=TIME instead of the last run
  agent:                              the catalog cached by the agent of this
                                      machine; audit also reads the last report
                                      and the facts
  'compile:CERTNAME?ref=BRANCH'       a catalog compiled on this machine, from a
                                      branch, tag or commit of a repository
  'compile:?ref=BRANCH'               all nodes with facts
`

// About returns the help about catalogs of other systems.
func About() string {
	return `Commands that read catalogs accept these addresses instead of files:

` + Addresses + `
Quote an address with a question mark or braces. Only arguments can be
addresses; lines of --files-from cannot.

Servers, certificates and time-outs come from the agent's puppet.conf and from
puppetdb.conf. --setting NAME=VALUE overrides one of these settings:

  ` + terminal.Wrap(strings.Join(source.SettingNames(), ", "), "  ", 78) + `

puppetserver: compiles with API v4, which stores nothing. For this node in its
environment, it uses v3, which stores the catalog in PuppetDB. --api overrides
this choice. The server must allow the certname of this machine to compile.

compile: needs Puppet on this machine, a control repository in Git, and the
facts of the nodes. Without ref=, or with ref=., it compiles the working tree
with its changes. More parameters are repo=DIR; dir=DIR, the directory of the
environment if it is not the root; facts=PATH, a directory with CERTNAME.json,
or puppetdb:; and environment=NAME. Defaults are in .pcat-compile.yaml; "pcat
compile" shows the settings and lists missing parts. diff, audit and redact
--check also read the files that catalogs copy from modules with source =>
'puppet:///modules/...'; check warns about missing files. Compiling runs the
code of the branch as you. Compile only branches whose authors may run code on
this machine.

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
