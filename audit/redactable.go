package audit

import "sync"

// properties lists, by type, the parameters that [Puppet] can redact: of native
// types only properties, and the exceptions that a type makes. Other parameters
// remain in plain text in logs and reports even if they are Sensitive. Types
// that are not listed are not checked.
//
// [Puppet]:
// https://www.puppet.com/docs/puppet/latest/securing-sensitive-data.html
var properties = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"archive":              "ensure creates",
		"augeas":               "",
		"concat_file":          "ensure",
		"cron":                 "ensure command special minute hour weekday month monthday environment user target",
		"exec":                 "command unless onlyif returns",
		"file_line":            "ensure",
		"filebucket":           "",
		"git_config":           "value",
		"group":                "ensure gid members attributes",
		"host":                 "ensure ip host_aliases comment target",
		"ini_setting":          "ensure value",
		"ini_subsetting":       "ensure value",
		"java_ks":              "ensure",
		"mount":                "ensure device blockdevice fstype options pass atboot dump target",
		"mysql_grant":          "ensure privileges table user options",
		"mysql_user":           "ensure password_hash plugin max_user_connections max_connections_per_hour max_queries_per_hour max_updates_per_hour tls_options",
		"notify":               "message",
		"package":              "ensure package_settings flavor mark",
		"rabbitmq_user":        "ensure password admin tags",
		"registry_value":       "ensure type data",
		"resources":            "",
		"schedule":             "",
		"scheduled_task":       "ensure enabled command working_dir arguments trigger user compatibility description",
		"service":              "ensure enable flags logonaccount logonpassword",
		"ssh_authorized_key":   "ensure type key user target options",
		"sshkey":               "ensure type key host_aliases target",
		"tidy":                 "",
		"user":                 "ensure home uid gid comment shell password password_min_age password_max_age password_warn_days groups expiry roles auths profiles keys project attributes salt iterations loginclass",
		"vcsrepo":              "ensure revision source branch module",
		"windows_env":          "ensure value",
		"environment_variable": "ensure value",
	}
})
