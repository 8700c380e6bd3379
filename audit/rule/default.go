package rule

// Default returns the rules that pcat comes with.
func Default() (*Registry, error) {
	g, err := NewRegistry(
		Rule{
			ID: "sensitive-reuse-open", Severity: High, CWE: 312,
			Title:  "A value that is Sensitive elsewhere stands in clear",
			Doc:    "The same value is Sensitive in one place of the catalog and clear in another, so that wrapping it protects nothing: it is stored, logged and shown in diffs from the clear place.",
			Remedy: "Pass the Sensitive value on as it is, and let templates unwrap it inside: wrap the result of `epp` or of the string in `Sensitive(…)` again.",
		},
		Rule{
			ID: "sensitive-cross-node", Severity: High, CWE: 312,
			Title:  "A value that is Sensitive on another node stands in clear",
			Doc:    "A value that another catalog of the run declares Sensitive is clear in this one.",
			Remedy: "Wrap the value in `Sensitive` wherever it is looked up: `lookup_options` with `convert_to: Sensitive` does it for every user of a key of Hiera.",
		},
		Rule{
			ID: "sensitive-in-title", Severity: Critical, CWE: 312,
			Title:  "A Sensitive value stands in the title of a resource",
			Doc:    "Titles are never redacted. They are repeated in edges, tags, events, logs and reports.",
			Remedy: "Give the resource a fixed title, and the value to a parameter as Sensitive: `postgresql_psql { 'role app': command => Sensitive(…) }`.",
		},
		Rule{
			ID: "sensitive-in-tag", Severity: Critical, CWE: 312,
			Title:  "A Sensitive value stands in a tag",
			Doc:    "Tags are stored in clear, in lower case, in catalogs and reports.",
			Remedy: "Do not tag with the value, nor give it as a title, from which Puppet makes tags.",
		},
		Rule{
			ID: "sensitive-in-edge", Severity: Critical, CWE: 312,
			Title:  "A Sensitive value stands in an edge of the catalog",
			Doc:    "Edges repeat the titles of resources, which are never redacted.",
			Remedy: "Change the title of the resource that the edge leads to.",
		},
		Rule{
			ID: "sensitive-in-key", Severity: Critical, CWE: 312,
			Title:  "A Sensitive value stands as a key of a hash",
			Doc:    "Redaction replaces values. A secret that is a key stays in clear.",
			Remedy: "Make the value a value: an array of hashes with a member for the secret, as Sensitive.",
		},
		Rule{
			ID: "plain-secret-parameter", Severity: High, CWE: 312,
			Title:  "A parameter that holds a secret by its name is a plain String",
			Doc:    "The name says that the value is a secret, and nothing declares it Sensitive.",
			Remedy: "Declare the parameter as `Sensitive[String]` and wrap the value where it comes from: `convert_to: Sensitive` in `lookup_options`, or `Sensitive(…)`.",
		},
		Rule{
			ID: "secret-in-content", Severity: High, CWE: 312,
			Title:  "Text holds a secret under a name that says so",
			Doc:    "A file, a fragment or another text gives a value to a name that stands for a secret: in the grammar of a configuration file, a script, JSON, YAML, XML or SQL. The text is not Sensitive.",
			Remedy: "Wrap the content in `Sensitive(…)`: `content => Sensitive(epp(…))`. Where several resources write one file, use types that take Sensitive fragments.",
		},
		Rule{
			ID: "secret-in-command", Severity: High, CWE: 214,
			Title:  "A command holds a secret",
			Doc:    "A command line, or its environment, holds a password or a token. It is logged when it fails, shown in reports, and other users of the node see it in the list of processes.",
			Remedy: "Give the secret by a file or by standard input, or make the command Sensitive: for `command`, `unless` and `onlyif` of exec, one Sensitive hides all. `environment` of exec cannot be redacted.",
		},
		Rule{
			ID: "connection-string", Severity: High, CWE: 522,
			Title:  "A connection string holds a password or a key",
			Doc:    "Pairs that semicolons separate hold the credentials of a database or a storage account.",
			Remedy: "Make the whole string Sensitive, or use the identity of the machine instead of a password.",
		},
		Rule{
			ID: "provider-token", Severity: Critical, CWE: 798,
			Title:  "A token of a provider stands in clear",
			Doc:    "The form of the text is that of a token which a provider issues: its prefix, alphabet and length are, and its checksum where the form has one.",
			Remedy: "Revoke the token: it has been stored in clear. Let the agent fetch the new one by a Deferred call from a secret store, or declare it Sensitive.",
		},
		Rule{
			ID: "password-hash", Severity: Medium, CWE: 916,
			Title:  "The hash of a password stands in clear",
			Doc:    "Whoever reads the hash can try passwords on it at leisure.",
			Remedy: "Wrap the hash in `Sensitive(…)`: types such as user redact it then.",
		},
		Rule{
			ID: "deferred-cleartext-argument", Severity: High, CWE: 312,
			Title:  "A secret stands in clear in the arguments of a Deferred",
			Doc:    "The arguments of a Deferred are a part of the catalog. PuppetDB stores them as text.",
			Remedy: "Wrap the argument in `Sensitive(…)`, or let the function read the token from the node.",
		},
		Rule{
			ID: "private-key", Severity: Critical, CWE: 312,
			Title:  "A private key stands in clear",
			Doc:    "The text is the armour of a private key, and its body parses as one.",
			Remedy: "Wrap the content in `Sensitive(…)`, or let the agent fetch it by a Deferred call from a secret store. Replace the key: it has been stored in clear.",
		},
		Rule{
			ID: "url-credentials", Severity: High, CWE: 522,
			Title:  "A URL holds a password",
			Doc:    "What stands before the `@` of a URL is logged and reported with it, and many a parameter `source`, that of archive for one, cannot be redacted.",
			Remedy: "Give user and password to parameters of their own, as Sensitive, or to a file of credentials that the tool reads.",
		},
		Rule{
			ID: "redacted-literal", Class: Policy, Severity: Medium,
			Title:  "The text of a redacted Sensitive became part of a value",
			Doc:    "`Sensitive [value redacted]` stands where the secret itself should: a Sensitive was interpolated into a string. The agent writes this text to its target.",
			Remedy: "Call `.unwrap` inside the string and wrap the whole in `Sensitive(…)`.",
		},
		Rule{
			ID: "deferred-literal", Class: Policy, Severity: Medium, CWE: 312,
			Title:  "The text of a Deferred became part of a value",
			Doc:    "A Deferred was turned into a string before it was resolved. Its arguments, among them tokens and passwords, are in clear, and the agent writes this text to its target.",
			Remedy: "Make the function that builds the string deferred, too: `Deferred('inline_epp', […])` or `Deferred('sprintf', […])`.",
		},
		Rule{
			ID: "derived-hash", Class: Policy, Severity: Low, CWE: 916,
			Title:  "A digest of a Sensitive value stands in clear",
			Doc:    "A digest without salt of a value that is Sensitive elsewhere: whoever reads it can try passwords on it at leisure, and tell equal ones apart from others.",
			Remedy: "Wrap the digest in `Sensitive(…)`, too, or use one with a salt.",
		},
		Rule{
			ID: "secret-reuse", Class: Policy, Severity: Info, CWE: 1391,
			Title:  "Several nodes have the same Sensitive value",
			Doc:    "Whoever breaks into one node knows the secret of all of them.",
			Remedy: "Derive or generate a secret for each node, where the service allows it.",
		},
		Rule{
			ID: "at-rest-sensitive", Class: Policy, Severity: Info, CWE: 312,
			Title:  "A Sensitive value is stored in clear in the catalog",
			Doc:    "That is how Puppet transports Sensitive values: the catalog in transit, and the cached one on the node, hold them in clear. The rule is off unless it is asked for.",
			Remedy: "Encrypt the value for the node with the module node_encrypt, or let the agent fetch it by a Deferred call.",
		},
		Rule{
			ID: "weak-secret", Class: Policy, Severity: Medium, CWE: 521,
			Title:  "A Sensitive value is easily guessed",
			Doc:    "The value is on every list of common passwords, is the name of its own user, or is too short to resist trying.",
			Remedy: "Replace the password by a random one.",
		},
		Rule{
			ID: "deferred-unsensitive", Class: Policy, Severity: Medium, CWE: 532,
			Title:  "A secret that is fetched on the agent is not Sensitive",
			Doc:    "A Deferred gives what a store of secrets returns to a function that makes a plain String of it, so that the value is logged and shown in diffs.",
			Remedy: "Make the outermost call return a Sensitive: `Deferred('new', [Sensitive, Deferred(…)])`, or leave out `unwrap`.",
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
			Doc:    "`show_diff` is on for a file whose content holds a secret, so that each change prints it to logs and reports.",
			Remedy: "Make the content Sensitive, or set `show_diff => false`.",
		},
		Rule{
			ID: "exported-secret", Class: Policy, Severity: High, CWE: 668,
			Title:  "An exported resource holds a secret",
			Doc:    "Exported resources are stored in PuppetDB and given to every node that collects them. Sensitive parameters are lost on the way, so that authors tend to leave them in clear.",
			Remedy: "Export the resource without the secret, and let the collecting node look it up.",
		},
	)
	if err != nil {
		return nil, err
	}
	return g, g.attach()
}
