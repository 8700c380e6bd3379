package rule

import "cmp"

// Default returns the built-in rules.
func Default() (*Registry, error) {
	g, err := NewRegistry(
		Rule{
			ID: "sensitive-reuse-open", Severity: High, CWE: 312,
			Title:  "A value that is Sensitive elsewhere is plain text",
			Doc:    "The same value is Sensitive in one place of the catalog and plain text in another. Wrapping it protects nothing: the plain text is stored, logged and shown in diffs.",
			Remedy: "Pass the Sensitive value on as it is. An EPP template that prints it is Sensitive as a whole; a string that contains it needs both: `Sensitive(\"…${secret.unwrap}…\")`.",
		},
		Rule{
			ID: "sensitive-cross-node", Severity: High, CWE: 312,
			Title:  "A value that is Sensitive on another node is plain text",
			Doc:    "A value that another catalog of the run declares Sensitive is plain text in this one.",
			Remedy: "Make the value Sensitive wherever it is looked up: `convert_to: Sensitive` in `lookup_options` does this for a key of Hiera, on all nodes.",
		},
		Rule{
			ID: "sensitive-in-title", Severity: Critical, CWE: 312,
			Title:  "The title of a resource contains a Sensitive value",
			Doc:    "Titles are never redacted. They are repeated in edges, tags, events, logs and reports.",
			Remedy: "Give the resource a fixed title, and pass the value to a parameter as Sensitive: `postgresql_psql { 'role app': command => Sensitive(…) }`.",
		},
		Rule{
			ID: "sensitive-in-tag", Severity: Critical, CWE: 312,
			Title:  "A tag contains a Sensitive value",
			Doc:    "Tags are stored as plain text, in lower case, in catalogs and reports.",
			Remedy: "Use a tag that is not secret, and no secret as a title: Puppet derives tags from titles.",
		},
		Rule{
			ID: "sensitive-in-edge", Severity: Critical, CWE: 312,
			Title:  "An edge of the catalog contains a Sensitive value",
			Doc:    "Edges repeat the titles of resources, which are never redacted.",
			Remedy: "Give the resources of the edge fixed titles, and pass the value to a parameter as Sensitive, or in a file.",
		},
		Rule{
			ID: "sensitive-in-key", Severity: Critical, CWE: 312,
			Title:  "A Sensitive value is used as a hash key",
			Doc:    "Redaction replaces values. A secret that is a key is never redacted.",
			Remedy: "Use another key, such as the name of the user, and make the secret a value, as Sensitive.",
		},
		Rule{
			ID: "plain-secret-parameter", Severity: High, CWE: 312,
			Title:  "A parameter named like a secret is a plain String",
			Doc:    "According to its name, the value is a secret, but it is not declared Sensitive.",
			Remedy: "Declare the parameter as `Sensitive[String]` and wrap the value where it comes from: `convert_to: Sensitive` in `lookup_options`, or `Sensitive(…)`.",
		},
		Rule{
			ID: "secret-in-content", Severity: High, CWE: 312,
			Title:  "Text assigns a secret to a name such as password",
			Doc:    "A file, a fragment or another text assigns a value to a name for secrets, in the grammar of a configuration file, a script, JSON, YAML, XML or SQL. The text is not Sensitive.",
			Remedy: "Pass the secret to `epp` as Sensitive and print it without `unwrap`, or wrap the content: `content => Sensitive(\"…\")`. Where several resources write one file, use types that take Sensitive fragments.",
		},
		Rule{
			ID: "secret-in-command", Severity: High, CWE: 214,
			Title:  "A command contains a secret",
			Doc:    "A command line, or its environment, contains a password or a token. Puppet logs and reports a command that fails, and other users of the node see its arguments in the list of processes.",
			Remedy: "Let the command read the secret from a file that only its user can read. If it cannot, make `command`, `unless` or `onlyif` Sensitive: this hides it in logs and reports, but not in the list of processes. `environment` of exec cannot be redacted.",
		},
		Rule{
			ID: "connection-string", Severity: High, CWE: 522,
			Title:  "A connection string contains a password or a key",
			Doc:    "A list of pairs separated by semicolons contains the credentials of a database or a storage account.",
			Remedy: "Wrap the whole string in `Sensitive(…)`, or let the service authenticate the machine instead of a password.",
		},
		Rule{
			ID: "copied-secret", Severity: High, CWE: 312,
			Title:  "A secret that was found elsewhere is copied here",
			Doc:    "The same text is a secret elsewhere in the catalogs, found there by its name or its form. Here nothing marks it as one.",
			Remedy: "Make the secret Sensitive where it comes from, and pass the Sensitive value on: `Sensitive(\"…${secret.unwrap}…\")` keeps what contains it secret.",
		},
		Rule{
			ID: "provider-token", Severity: Critical, CWE: 798,
			Title:  "A provider token is plain text",
			Doc:    "The text has the form of a token that a provider issues: the prefix, the alphabet, the length and, if there is one, the checksum match.",
			Remedy: "Revoke the token: it has been stored as plain text. Let the agent fetch the new one by a Deferred call from a secret store, or declare it Sensitive.",
		},
		Rule{
			ID: "password-hash", Severity: Medium, CWE: 916,
			Title:  "A password hash is plain text",
			Doc:    "With the hash, passwords can be guessed and checked offline.",
			Remedy: "Wrap the hash in `Sensitive(…)`: types such as user redact it then.",
		},
		Rule{
			ID: "deferred-cleartext-argument", Severity: High, CWE: 312,
			Title:  "The arguments of a Deferred contain a plain-text secret",
			Doc:    "The arguments of a Deferred are a part of the catalog. PuppetDB stores them as plain text.",
			Remedy: "Let the function authenticate with something that the node has, such as its certificate or a file. An argument that remains needs `Sensitive(…)`.",
		},
		Rule{
			ID: "private-key", Severity: Critical, CWE: 312,
			Title:  "A private key is plain text",
			Doc:    "The text is the armour of a private key, and its body parses as one.",
			Remedy: "Wrap the content in `Sensitive(…)`, or let the agent fetch it by a Deferred call from a secret store. Replace the key: it has been stored as plain text.",
		},
		Rule{
			ID: "url-credentials", Severity: High, CWE: 522,
			Title:  "A URL contains a password",
			Doc:    "The credentials before the `@` of a URL are logged and reported with it. Many parameters with a URL cannot be redacted, for example `source` of archive.",
			Remedy: "Write the credentials to a file that the tool reads, such as `.netrc`, with Sensitive content, or pass them to parameters that can be redacted.",
		},
		Rule{
			ID: "redacted-literal", Class: Policy, Severity: Medium,
			Title:  "The text of a redacted Sensitive became part of a value",
			Doc:    "`Sensitive [value redacted]` appears instead of the secret: a Sensitive was interpolated into a string. The agent writes this text to its target. In a catalog from PuppetDB, which writes it for each nested Sensitive, a value that consists of it is no finding.",
			Remedy: "Call `unwrap` inside the string, and wrap the string: `Sensitive(\"…${secret.unwrap}…\")`.",
		},
		Rule{
			ID: "deferred-literal", Class: Policy, Severity: Medium, CWE: 312,
			Title:  "The text of a Deferred became part of a value",
			Doc:    "A Deferred was turned into a string before it was resolved. Its arguments, including tokens and passwords, are plain text, and the agent writes this text to its target. In a catalog that was compiled without rich data, each Deferred is such a text. PuppetDB writes it, too: in its catalogs, a value that consists of it is no finding.",
			Remedy: "Defer the function that builds the string, too, and make the result Sensitive: `Sensitive(Deferred('inline_epp', […]))`.",
		},
		Rule{
			ID: "derived-hash", Class: Policy, Severity: Low, CWE: 916,
			Title:  "A digest of a Sensitive value is plain text",
			Doc:    "The text is an unsalted digest of a value that is Sensitive elsewhere. With it, passwords can be guessed and checked offline, and equal passwords can be recognized.",
			Remedy: "Wrap the digest in `Sensitive(…)`, too, or use one with a salt.",
		},
		Rule{
			ID: "secret-reuse", Class: Policy, Severity: Info, CWE: 1391,
			Title:  "Several nodes have the same Sensitive value",
			Doc:    "A break-in on one node exposes the secret of all of them.",
			Remedy: "Derive or generate a secret for each node, where the service allows it.",
		},
		Rule{
			ID: "at-rest-sensitive", Class: Policy, Severity: Info, CWE: 312,
			Title:  "The catalog stores a Sensitive value as plain text",
			Doc:    "Puppet transports Sensitive values in this way: the catalog contains them as plain text in transit and in the cache of the node. The rule is off by default.",
			Remedy: "Encrypt the value for the node with `node_encrypt::secret`, or let the agent fetch it by a Deferred call to a secret store.",
		},
		Rule{
			ID: "weak-secret", Class: Policy, Severity: Medium, CWE: 521,
			Title:  "A Sensitive value is easily guessed",
			Doc:    "The value is on every list of common passwords, is the name of its own user, or is too short to resist guessing.",
			Remedy: "Replace the password by a random one, and let the type require a length: `Sensitive[String[12]]`.",
		},
		Rule{
			ID: "default-password", Class: Policy, Severity: High, CWE: 1392,
			Title:  "A password is a placeholder or a default that everyone knows",
			Doc:    "The catalog is what the node gets, so the value under the name of a password is the password in use: one that a manual, an example or a list of common passwords contains exactly, a placeholder, the name of its user or service, or words alone. With digits, signs or replaced letters, it is a password that somebody chose, and a leak under another rule.",
			Remedy: "Generate a random password and look it up as Sensitive: `convert_to: Sensitive` in `lookup_options`, or `Sensitive(lookup(…))`. Give the parameter no default.",
		},
		Rule{
			ID: "deferred-unsensitive", Class: Policy, Severity: Medium, CWE: 532,
			Title:  "A secret that is fetched on the agent is not Sensitive",
			Doc:    "A Deferred passes a value from a secret store to a function that returns a plain String, so that the value is logged and shown in diffs.",
			Remedy: "Leave out `unwrap`, or wrap the outermost call: `Sensitive(Deferred(…))`.",
		},
		Rule{
			ID: "unredactable-parameter", Class: Policy, Severity: Medium, CWE: 532,
			Title:  "Puppet cannot redact this Sensitive parameter",
			Doc:    "Of native types, only properties can be redacted. Puppet warns that this parameter cannot, and shows it in logs and reports.",
			Remedy: "Use a parameter that can be redacted, or keep the secret out of it: a URL without a password and a file of credentials, a variable that the command reads from a file.",
		},
		Rule{
			ID: "show-diff-enabled", Class: Policy, Severity: Low, CWE: 532,
			Title:  "Differences of a file with a secret are shown",
			Doc:    "`show_diff` is true for a file whose content contains a secret, so that each change prints it to logs and reports.",
			Remedy: "Make the content Sensitive, so that Puppet shows no differences, and set `show_diff => false`.",
		},
		Rule{
			ID: "secret-in-report", Severity: High, CWE: 532, Document: true,
			Title:  "A report contains a secret",
			Doc:    "A log line, an event or the status of a resource in a report has a secret as plain text. The agent keeps the report in `last_run_report.yaml` and sends it to the server, to PuppetDB and to all report processors, so dashboards, tickets and chats show it. The severity is that of the secret.",
			Remedy: "Make the parameter Sensitive: Puppet then writes `[redacted]` in messages and events. A command or a title cannot be redacted in all places: pass the secret in a file. Mask the stored reports with `pcat redact`, and replace the secret.",
		},
		Rule{
			ID: "diff-of-secret", Severity: High, CWE: 532, Document: true,
			Title:  "A logged difference of a file shows a secret",
			Doc:    "The agent runs with `show_diff`, and logs the lines of a file that change: the old and the new secret. The log lines are part of the report, which PuppetDB and dashboards keep. The severity is that of the secret.",
			Remedy: "Make the content Sensitive, and set `show_diff => false` for the file. Mask the stored reports with `pcat redact`, and replace the secret.",
		},
		Rule{
			ID: "secret-in-fact", Severity: High, CWE: 532, Document: true,
			Title:  "A fact contains a secret",
			Doc:    "Agents send all facts to the server at each run, and PuppetDB keeps them, where everyone with query access can read them. Facts cannot be Sensitive. The severity is that of the secret.",
			Remedy: "Let the custom or external fact leave the secret out, or return its digest or whether it exists. `blocklist` in `facter.conf` turns a fact off. Look secrets up on the server instead of reading them from facts.",
		},
		Rule{
			ID: "exported-secret", Class: Policy, Severity: High, CWE: 668,
			Title:  "An exported resource contains a secret",
			Doc:    "Exported resources are stored in PuppetDB and given to every node that collects them. Sensitive parameters are lost on the way, so that authors tend to leave them as plain text.",
			Remedy: "Export the resource without the secret, and let the collector add it, as Sensitive, on the node that collects.",
		},
	)
	if err != nil {
		return nil, err
	}
	return g, cmp.Or(g.attachSamples(), g.attachCode())
}
