package config

import "strings"

// Example is a file with all keys, in comments except the ones that are needed. facts is
// the directory with facts; empty leaves it in a comment.
func Example(facts string) string {
	line := "# facts: facts"
	if facts != "" {
		line = "facts: " + facts
	}
	return strings.Replace(example, "FACTS", line, 1)
}

const example = `# How pcat compiles the catalogs of this repository: compile:CERTNAME?ref=BRANCH.
# Paths are relative to this file.
version: 1

# A directory with CERTNAME.json or CERTNAME.yaml for each node: the output of
# facter --json, puppet facts, or the cache of a server. puppetdb: asks PuppetDB.
FACTS

# A directory in the repository, and the name of the environment.
# repo: .
# environment: production
# The directory of the environment below the root of the repository, if it is
# neither the root nor the directory of repo or one above with environment.conf.
# environment-dir: environments/production

# Extensions of certificates, which are $trusted['extensions']: of all nodes, and
# of single ones. Facts of PuppetDB have them already.
# trusted: {pp_environment: production}
# nodes:
#   web01.example.com: {pp_role: web}

# A command that runs in each tree that is compiled, to install modules.
# prepare: r10k puppetfile install
# The files that decide what it adds: trees in which they are equal share one run.
# For the command above, it is the Puppetfile. [] means a run for each tree.
# prepare-key: [Puppetfile]

# Without the keys of eyaml: each ciphertext gets a placeholder of its own.
# eyaml: placeholder

# Exported resources: a file or a directory with JSON, or puppetdb:
# exported: puppetdb:

# Results of functions that cannot work here, and keys of backends of Hiera.
# function-stubs: {puppetdb_query: []}

# hiera: global/hiera.yaml
# enc: ./enc.sh
# puppet: /opt/puppetlabs
# basemodulepath: /opt/puppetlabs/puppet/modules
# settings: {strict: warning}
# pass-env: [HTTPS_PROXY]
# network: false
# isolate: false
# timeout: 5m
# memory: 4GiB
`
