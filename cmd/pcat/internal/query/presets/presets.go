// Package presets has the queries with names of the command query.
package presets

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore"
)

// sample is a preset with two resources, as JSON.
type sample struct {
	query.Preset
	match, other string // only the first is selected
}

// samples returns the presets of pcat, sorted by name.
func samples() []sample {
	return []sample{
		{
			Preset: query.Preset{
				Name:       "cron-root",
				Doc:        "cron jobs that run as root",
				Expression: `$type == cron and $parameters[ensure] != absent and "${parameters[user]}" in ['', root]`,
			},
			match: `{"type":"Cron","title":"backup","parameters":{"command":"/usr/bin/backup","user":"root"}}`,
			other: `{"type":"Cron","title":"backup","parameters":{"command":"/usr/bin/backup","user":"backup"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "exec-always",
				Doc:        "commands that run each time, without any condition",
				Expression: `$type == exec and !($parameters['unless'] or $parameters[onlyif] or $parameters[creates]) and "${parameters[refreshonly]}" != 'true'`,
			},
			match: `{"type":"Exec","title":"/bin/date","parameters":{"refreshonly":false}}`,
			other: `{"type":"Exec","title":"/bin/date","parameters":{"creates":"/tmp/date"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "exec-no-timeout",
				Doc:        "commands that can run forever: timeout 0",
				Expression: `$type == exec and "${parameters[timeout]}" =~ /^0+(\.0*)?$/`,
			},
			match: `{"type":"Exec","title":"/bin/sync","parameters":{"timeout":0}}`,
			other: `{"type":"Exec","title":"/bin/sync","parameters":{"timeout":"10"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "exec-pipe-to-shell",
				Doc:        "commands that download a program and run it",
				Expression: `$type == exec and "${title} ${parameters[command]}" =~ /\b(curl|wget)\b.*\|\s*(sudo\s+)?(\/\S*\/)?(ba|da|z|k)?sh\b/`,
			},
			match: `{"type":"Exec","title":"install","parameters":{"command":"curl -s https://example.com/install | sudo bash"}}`,
			other: `{"type":"Exec","title":"install","parameters":{"command":"curl -so /tmp/install https://example.com/install"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "file-no-owner",
				Doc:        "files without an owner or a mode",
				Expression: `$type == file and !($parameters[ensure] in [absent, link]) and !($parameters[owner] and $parameters[mode])`,
			},
			match: `{"type":"File","title":"/etc/motd","parameters":{"mode":"0644"}}`,
			other: `{"type":"File","title":"/etc/motd","parameters":{"mode":"0644","owner":"root"}}`,
		},
		{
			Preset: query.Preset{
				Name: "http-source",
				Doc:  "files from http:// without a checksum",
				Expression: `$type in [file, archive] and [$parameters[source]].flatten.any |$from| { "${from}" =~ /^http:/ } and ` +
					`!$parameters[checksum_value] and !($type == archive and $parameters[checksum])`,
			},
			match: `{"type":"File","title":"/opt/app.jar","parameters":{"source":"http://example.com/app.jar"}}`,
			other: `{"type":"File","title":"/opt/app.jar","parameters":{"source":"http://example.com/app.jar","checksum_value":"d2a0"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "noop",
				Doc:        "resources that are never changed: noop",
				Expression: `"${parameters[noop]}" == 'true'`,
			},
			match: `{"type":"File","title":"/etc/motd","parameters":{"noop":true}}`,
			other: `{"type":"File","title":"/etc/motd","parameters":{"noop":false}}`,
		},
		{
			Preset: query.Preset{
				Name:       "package-latest",
				Doc:        "packages without a fixed version: ensure latest",
				Expression: `$type == package and $parameters[ensure] == latest`,
			},
			match: `{"type":"Package","title":"nginx","parameters":{"ensure":"latest"}}`,
			other: `{"type":"Package","title":"nginx","parameters":{"ensure":"1.24.0"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "password-exposed",
				Doc:        "users whose password is neither Sensitive nor a digest",
				Expression: `$type == user and $parameters[password] =~ String[1] and $parameters[password] !~ /^([!*]|x$|\$[0-9A-Za-z]|redacted-)/`,
			},
			match: `{"type":"User","title":"ann","parameters":{"password":"correct-horse-battery"}}`,
			other: `{"type":"User","title":"ann","parameters":{"password":"$6$salt$digest"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "purge",
				Doc:        "resources that delete whatever Puppet does not manage",
				Expression: `"${parameters[purge]}" == 'true'`,
			},
			match: `{"type":"Resources","title":"firewall","parameters":{"purge":true}}`,
			other: `{"type":"File","title":"/etc/app.d","parameters":{"recurse":true}}`,
		},
		{
			Preset: query.Preset{
				Name: "secret-file-diff",
				Doc:  "files named like keys or passwords, with a diff in reports",
				Expression: `$type == file and $parameters[content] and !(content in $sensitive) and "${parameters[show_diff]}" != 'false' and ` +
					`"${title} ${parameters[path]}" =~ /passw|secret|credential|shadow|id_(rsa|ecdsa|ed25519)|\.(key|pem|p12|jks|keytab)\b/`,
			},
			match: `{"type":"File","title":"/etc/ssl/web.key","parameters":{"content":"x"}}`,
			other: `{"type":"File","title":"/etc/ssl/web.key","parameters":{"content":"x","show_diff":false}}`,
		},
		{
			Preset: query.Preset{
				Name:       "service-not-enabled",
				Doc:        "services that run, but do not start with the system",
				Expression: `$type == service and "${parameters[ensure]}" in [running, 'true'] and !("${parameters[enable]}" in ['true', delayed])`,
			},
			match: `{"type":"Service","title":"nginx","parameters":{"ensure":"running"}}`,
			other: `{"type":"Service","title":"nginx","parameters":{"ensure":"running","enable":true}}`,
		},
		{
			Preset: query.Preset{
				Name:       "setuid",
				Doc:        "files with a setuid or setgid mode",
				Expression: `$type == file and "${parameters[mode]}" =~ /^0?[2-7][0-7]{3}$|[+=][rwxXt]*s/`,
			},
			match: `{"type":"File","title":"/usr/local/bin/tool","parameters":{"mode":"4755"}}`,
			other: `{"type":"File","title":"/srv/tmp","parameters":{"mode":"1777"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "ssh-key-root",
				Doc:        "SSH keys that may log in as root",
				Expression: `$type == ssh_authorized_key and $parameters[user] == root and $parameters[ensure] != absent`,
			},
			match: `{"type":"Ssh_authorized_key","title":"ann","parameters":{"user":"root"}}`,
			other: `{"type":"Ssh_authorized_key","title":"ann","parameters":{"user":"ann"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "sudoers",
				Doc:        "configuration files of sudo",
				Expression: `$type == file and $parameters[ensure] != absent and "${title} ${parameters[path]} " =~ /\/sudoers(\.d\/\S+)? /`,
			},
			match: `{"type":"File","title":"/etc/sudoers.d/ann","parameters":{"ensure":"file"}}`,
			other: `{"type":"File","title":"/etc/sudo.conf","parameters":{"ensure":"file"}}`,
		},
		{
			Preset: query.Preset{
				Name:       "unsigned-repository",
				Doc:        "package repositories that accept unsigned packages",
				Expression: `$type in [yumrepo, zypprepo] and "${parameters[gpgcheck]}" in ['0', no, 'false'] or $type == 'Apt::Source' and "${parameters[allow_unsigned]}" == 'true'`,
			},
			match: `{"type":"Yumrepo","title":"app","parameters":{"gpgcheck":"0"}}`,
			other: `{"type":"Yumrepo","title":"app","parameters":{"gpgcheck":"1"}}`,
		},
		{
			Preset: query.Preset{
				Name: "world-writable",
				Doc:  "files that everyone can write, except sticky directories",
				Expression: `$type == file and "${parameters[mode]}" =~ /^[0-7]*[2367]$|(^|,)[ug]*[oa][ugoa]*([-+=][rwxXst]*)*[+=][rxXst]*w/ and ` +
					`"${parameters[mode]}" !~ /^0?[1357][0-7]{3}$/`,
			},
			match: `{"type":"File","title":"/etc/motd","parameters":{"mode":"0666"}}`,
			other: `{"type":"File","title":"/tmp","parameters":{"mode":"1777"}}`,
		},
	}
}

// All returns the presets of pcat, sorted by name.
func All() []query.Preset {
	all := make([]query.Preset, 0, len(samples()))
	for _, s := range samples() {
		all = append(all, s.Preset)
	}
	return all
}

// presetName is the syntax of the names of presets.
const presetName = `^[a-z0-9][a-z0-9_-]*$`

// Parse returns the presets in a hash of names. Each is an expression, or a hash
// with an `expression` and a `doc`.
func Parse(data pcore.Value) ([]query.Preset, error) {
	all, ok := data.(*pcore.Hash)
	if !ok {
		return nil, errors.New("presets must be a map of names to expressions")
	}
	valid := regexp.MustCompile(presetName)
	var presets []query.Preset
	for k, v := range all.All() {
		name, _ := k.(pcore.String)
		if !valid.MatchString(string(name)) {
			return nil, fmt.Errorf("%s: invalid name; use lower-case letters, digits and hyphens", k)
		}
		p, err := parsePreset(string(name), v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		presets = append(presets, p)
	}
	if len(presets) == 0 {
		return nil, errors.New("no presets; expected a map of names to expressions")
	}
	return presets, nil
}

func parsePreset(name string, v pcore.Value) (query.Preset, error) {
	p := query.Preset{Name: name}
	switch v := v.(type) {
	case pcore.String:
		p.Expression = string(v)
	case *pcore.Hash:
		for k, v := range v.All() {
			text, ok := v.(pcore.String)
			if !ok {
				return p, fmt.Errorf("%s must be a string", k)
			}
			switch key, _ := k.(pcore.String); key {
			case "doc":
				p.Doc = string(text)
			case "expression":
				p.Expression = string(text)
			default:
				return p, fmt.Errorf("%s: unknown key; use expression or doc", k)
			}
		}
	default:
		return p, errors.New("expected an expression, or a map with expression and doc")
	}
	if p.Expression == "" {
		return p, errors.New("missing expression")
	}
	return p, nil
}

// Find returns the presets with the given names, each once; the name all is
// that of all presets. missing is the first name without a preset.
func Find(presets []query.Preset, names []string) (found []query.Preset, missing string) {
	for _, name := range names {
		i := slices.IndexFunc(presets, func(p query.Preset) bool { return p.Name == name })
		switch {
		case name == "all":
			return presets, ""
		case i < 0:
			return nil, name
		case !slices.ContainsFunc(found, func(p query.Preset) bool { return p.Name == name }):
			found = append(found, presets[i])
		}
	}
	return found, ""
}
