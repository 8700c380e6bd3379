// Package source reads catalogs from the systems that have them: PuppetDB,
// Puppet Server, and the cache of the agent on this machine.
//
//	Address   names catalogs, such as puppetdb:web01 or puppetserver:web01?environment=test
//	Settings  where the systems are, and the certificate to use: puppet.conf, puppetdb.conf
//	Client    lists, reads and submits catalogs
//	Inventory the facts and trusted data of a node in PuppetDB
//	Error     a failed request: the system, the reason and the remedy
//
// All documents are returned as the system sent them, in memory: nothing is
// written to disk. Errors and log messages never contain a document, a token
// or a key.
//
// The requests to these systems belong here. Catalogs that a command compiles itself do not.
//
// # Limits of the sources
//
// PuppetDB stores the catalogs of its terminus: rich values as their text, and no
// parameter that is Sensitive. Puppet Server's v4 API, which compiles for
// another node without storing anything, also writes rich values as text. Its
// v3 API and the cache of an agent have everything, with secrets in plain text.
package source
