package rule

import (
	"cmp"
	"sync"
)

// Default returns the built-in rules.
func Default() (*Registry, error) { return builtin() }

var builtin = sync.OnceValues(func() (*Registry, error) {
	g, err := newRegistry(
		Rule{
			ID: "sensitive-reuse-open", Severity: High, CWE: 312,
			Title:  "A value that is Sensitive elsewhere is plain text",
			Doc:    "The same value is Sensitive at one location of the catalog and plain text at another. The Sensitive wrapper then protects nothing, because the plain text is stored, logged and shown in diffs.",
			Remedy: "Pass the Sensitive value on unchanged. The output of an EPP template that prints it is Sensitive. A string that contains it needs both functions: `Sensitive(\"…${secret.unwrap}…\")`.",
		},
		Rule{
			ID: "sensitive-cross-node", Severity: High, CWE: 312,
			Title:  "A value that is Sensitive on another node is plain text",
			Doc:    "A value that another catalog of the run declares Sensitive is plain text in this one.",
			Remedy: "Make the value Sensitive wherever it is looked up. For a Hiera key, `convert_to: Sensitive` in `lookup_options` does this on all nodes.",
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
			Remedy: "Do not use a secret as a tag or as a title, because Puppet derives tags from titles.",
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
			Doc:    "Redaction replaces only values. A secret key is never redacted.",
			Remedy: "Use another key, such as the name of the user, and make the secret a Sensitive value.",
		},
		Rule{
			ID: "plain-secret-parameter", Severity: High, CWE: 312,
			Title:  "A parameter named like a secret is a plain String",
			Doc:    "The name indicates that the value is a secret, but it is not declared Sensitive.",
			Remedy: "Declare the parameter as `Sensitive[String]` and wrap the value at its source, with `convert_to: Sensitive` in `lookup_options` or with `Sensitive(…)`.",
		},
		Rule{
			ID: "secret-in-content", Severity: High, CWE: 312,
			Title:  "Text assigns a secret to a name such as password",
			Doc:    "A file, a fragment or another text assigns a value to a name for secrets, in the syntax of a configuration file, a script, JSON, YAML, XML or SQL. The text is not Sensitive.",
			Remedy: "Pass the secret to `epp` as Sensitive and print it without `unwrap`, or wrap the content: `content => Sensitive(\"…\")`. If several resources write one file, use types that accept Sensitive fragments.",
		},
		Rule{
			ID: "secret-in-command", Severity: High, CWE: 214,
			Title:  "A command contains a secret",
			Doc:    "A command line, or its environment, contains a password or a token. Puppet logs and reports a failed command, and other users of the node see its arguments in the process list.",
			Remedy: "Let the command read the secret from a file that only its user can read. If it cannot, make `command`, `unless` or `onlyif` Sensitive: this hides it in logs and reports, but not in the process list. Puppet cannot redact `environment` of an exec.",
		},
		Rule{
			ID: "unnamed-secret", Severity: Medium, CWE: 312,
			Title:  "A text looks like a generated secret, and no name says so",
			Doc:    "A word of 16 to 128 characters mixes capitals, small letters and digits at random, as generated passwords and keys do. Its name does not say what it is. Digests, public keys, certificates and identifiers are not reported if their names or their lines reveal them, and neither are words with the signs of base64, which are mostly digests. In programs, the word must be in quotes. A value with more than 160 such words, also in its encoded parts, is data, and none of them is reported. The rule does not apply to facts.",
			Remedy: "If it is a secret, pass it as Sensitive. Otherwise, accept the finding in `.pcat-audit.yaml`, or turn the rule off there.",
		},
		Rule{
			ID: "connection-string", Severity: High, CWE: 522,
			Title:  "A connection string contains a password or a key",
			Doc:    "A list of pairs separated by semicolons contains the credentials of a database or a storage account.",
			Remedy: "Wrap the whole string in `Sensitive(…)`, or let the service authenticate the machine instead of using a password.",
		},
		Rule{
			ID: "copied-secret", Severity: High, CWE: 312,
			Title:  "A secret that was found elsewhere is copied here",
			Doc:    "The same text is a secret elsewhere in the catalogs, identified by its name or its format. At this location, nothing marks it as a secret.",
			Remedy: "Make the secret Sensitive at its source, and pass the Sensitive value on. If a string contains it, wrap the string: `Sensitive(\"…${secret.unwrap}…\")`.",
		},
		Rule{
			ID: "provider-token", Severity: Critical, CWE: 798,
			Title:  "A provider token is plain text",
			Doc:    "The text has the format of a provider's token: the prefix, the alphabet, the length and, if there is one, the checksum match.",
			Remedy: "Revoke the token, because it was stored as plain text. Let the agent fetch the new token from a secret store with a Deferred call, or declare it Sensitive.",
		},
		Rule{
			ID: "password-hash", Severity: Medium, CWE: 916,
			Title:  "A password hash is plain text",
			Doc:    "An attacker who has the hash can guess passwords and check them offline.",
			Remedy: "Wrap the hash in `Sensitive(…)`. Types such as user then redact it.",
		},
		Rule{
			ID: "deferred-cleartext-argument", Severity: High, CWE: 312,
			Title:  "The arguments of a Deferred contain a plain-text secret",
			Doc:    "The arguments of a Deferred are part of the catalog. PuppetDB stores them as plain text.",
			Remedy: "Let the function authenticate with the node's certificate or a file. Wrap any remaining secret argument in `Sensitive(…)`.",
		},
		Rule{
			ID: "private-key", Severity: Critical, CWE: 312,
			Title:  "A private key is plain text",
			Doc:    "The text is the armour of a private key, and its body parses as one.",
			Remedy: "Wrap the content in `Sensitive(…)`, or let the agent fetch it from a secret store with a Deferred call. Replace the key, because it was stored as plain text.",
		},
		Rule{
			ID: "url-credentials", Severity: High, CWE: 522,
			Title:  "A URL contains a password",
			Doc:    "The credentials before the `@` of a URL are logged and reported with the URL. Puppet cannot redact many URL parameters, for example `source` of archive.",
			Remedy: "Write the credentials to a file that the tool reads, such as `.netrc`, with Sensitive content, or pass them to parameters that can be redacted.",
		},
		Rule{
			ID: "redacted-literal", Class: Policy, Severity: Medium,
			Title:  "The text of a redacted Sensitive became part of a value",
			Doc:    "A Sensitive was interpolated into a string, so the string contains `Sensitive [value redacted]` instead of the secret. The agent writes this text to its target. PuppetDB stores this text for each nested Sensitive, so a whole value of this text in a catalog from PuppetDB is not a finding.",
			Remedy: "Call `unwrap` inside the string, and wrap the string: `Sensitive(\"…${secret.unwrap}…\")`.",
		},
		Rule{
			ID: "deferred-literal", Class: Policy, Severity: Medium, CWE: 312,
			Title:  "The text of a Deferred became part of a value",
			Doc:    "A Deferred was turned into a string before it was resolved. Its arguments, including tokens and passwords, are plain text, and the agent writes this text to its target. In a catalog that was compiled without rich data, each Deferred becomes such a text. PuppetDB also stores this text, so a whole value of this text in a catalog from PuppetDB is not a finding.",
			Remedy: "Also defer the function that builds the string, and make the result Sensitive: `Sensitive(Deferred('inline_epp', […]))`.",
		},
		Rule{
			ID: "derived-hash", Class: Policy, Severity: Low, CWE: 916,
			Title:  "A digest of a Sensitive value is plain text",
			Doc:    "The text is an unsalted digest of a value that is Sensitive elsewhere. An attacker can guess passwords and check them offline, and can recognize equal passwords.",
			Remedy: "Also wrap the digest in `Sensitive(…)`, or use a salted digest.",
		},
		Rule{
			ID: "secret-reuse", Class: Policy, Severity: Info, CWE: 1391,
			Title:  "Several nodes have the same Sensitive value",
			Doc:    "A break-in on one node exposes the secret of all these nodes.",
			Remedy: "Derive or generate a separate secret for each node, if the service allows it.",
		},
		Rule{
			ID: "at-rest-sensitive", Class: Policy, Severity: Info, CWE: 312,
			Title:  "The catalog stores a Sensitive value as plain text",
			Doc:    "Puppet does not encrypt Sensitive values in a catalog: they are plain text in transit and in the cache of the node. The rule is off by default.",
			Remedy: "Encrypt the value for the node with `node_encrypt::secret`, or let the agent fetch it from a secret store with a Deferred call.",
		},
		Rule{
			ID: "weak-secret", Class: Policy, Severity: Medium, CWE: 521,
			Title:  "A Sensitive value is easily guessed",
			Doc:    "The value is a common password, the name of its own user, or too short to resist guessing.",
			Remedy: "Replace the password with a random one, and let the type require a length: `Sensitive[String[12]]`.",
		},
		Rule{
			ID: "default-password", Class: Policy, Severity: High, CWE: 1392,
			Title:  "A password is a placeholder or a default that everyone knows",
			Doc:    "The node uses the catalog, so the value of a password parameter is the real password. It is exactly a password from a manual, an example or a list of common passwords, a placeholder, the name of its user or service, or words alone. With added digits, punctuation or replaced letters, it counts as a password that a person chose, and is a leak under another rule.",
			Remedy: "Generate a random password and look it up as Sensitive: `convert_to: Sensitive` in `lookup_options`, or `Sensitive(lookup(…))`. Give the parameter no default.",
		},
		Rule{
			ID: "deferred-unsensitive", Class: Policy, Severity: Medium, CWE: 532,
			Title:  "A secret that is fetched on the agent is not Sensitive",
			Doc:    "A Deferred passes a value from a secret store to a function that returns a plain String, so the value is logged and shown in diffs.",
			Remedy: "Remove `unwrap`, or wrap the outermost call: `Sensitive(Deferred(…))`.",
		},
		Rule{
			ID: "unredactable-parameter", Class: Policy, Severity: Medium, CWE: 532,
			Title:  "Puppet cannot redact this Sensitive parameter",
			Doc:    "Puppet can only redact properties of native types. It warns that it cannot redact this parameter, and shows the value in logs and reports.",
			Remedy: "Use a parameter that Puppet can redact, or keep the secret out of the parameter. For example, use a URL without a password and a file of credentials, or a variable that the command reads from a file.",
		},
		Rule{
			ID: "show-diff-enabled", Class: Policy, Severity: Low, CWE: 532,
			Title:  "Differences of a file with a secret are shown",
			Doc:    "`show_diff` is true for a file with a secret, so each change of the file prints the secret to logs and reports.",
			Remedy: "Make the content Sensitive, and set `show_diff => false`. Puppet then shows no differences.",
		},
		Rule{
			ID: "secret-in-report", Severity: High, CWE: 532, Document: true,
			Title:  "A report contains a secret",
			Doc:    "A log line, an event or a resource status in a report contains a plain-text secret. The agent keeps the report in `last_run_report.yaml` and sends it to the server, to PuppetDB and to all report processors, so dashboards, tickets and chats show it. The severity is that of the secret.",
			Remedy: "Make the parameter Sensitive. Puppet then writes `[redacted]` in messages and events. Puppet cannot redact every occurrence of a command or a title, so pass the secret in a file. Mask the stored reports with `pcat redact`, and replace the secret.",
		},
		Rule{
			ID: "diff-of-secret", Severity: High, CWE: 532, Document: true,
			Title:  "A logged difference of a file shows a secret",
			Doc:    "The agent runs with `show_diff` and logs the changed lines of a file, with the old and the new secret. The log lines are part of the report, which PuppetDB and dashboards keep. The severity is that of the secret.",
			Remedy: "Make the content Sensitive, and set `show_diff => false` for the file. Mask the stored reports with `pcat redact`, and replace the secret.",
		},
		Rule{
			ID: "secret-in-fact", Severity: High, CWE: 532, Document: true,
			Title:  "A fact contains a secret",
			Doc:    "Agents send all facts to the server in each run. PuppetDB stores them, and everyone with query access can read them. Facts cannot be Sensitive. The severity is that of the secret.",
			Remedy: "Change the custom or external fact: omit the secret, or return only its digest or whether it exists. `blocklist` in `facter.conf` turns a fact off. Look secrets up on the server instead of reading them from facts.",
		},
		Rule{
			ID: "exported-secret", Class: Policy, Severity: High, CWE: 668,
			Title:  "An exported resource contains a secret",
			Doc:    "PuppetDB stores exported resources and sends them to every node that collects them. It drops Sensitive parameters, so authors tend to leave them as plain text.",
			Remedy: "Export the resource without the secret, and let the collecting node add the secret as Sensitive.",
		},
	)
	if err != nil {
		return nil, err
	}
	return g, cmp.Or(g.attachSamples(), g.attachCode())
})
