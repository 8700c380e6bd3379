package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/refs"
)

// effect is what a change would do on the node.
type effect struct {
	effect   string
	ref, via catalog.Ref
	rank     Rank
	detail   string
}

// rank returns the rank that a rule gives a change, or that of the gravest effect.
func (c *change) rank() Rank {
	if c.given != nil {
		return *c.given
	}
	top := RankInfo
	for _, e := range c.effects {
		top = max(top, e.rank)
	}
	return top
}

// properties lists the parameters of core types that Puppet compares with the node. A
// change of any other parameter of these types changes nothing by itself. All
// parameters of other types count as properties.
var properties = map[string]string{
	"augeas":             "changes",
	"cron":               "ensure command special minute hour weekday month monthday environment user target",
	"exec":               "",
	"file":               "ensure content source owner group mode target checksum_value seltype seluser selrole selrange",
	"filebucket":         "",
	"group":              "ensure gid members attributes",
	"host":               "ensure ip host_aliases comment target",
	"k5login":            "ensure principals mode",
	"mailalias":          "ensure recipient file target",
	"mount":              "ensure device blockdevice fstype options pass dump atboot target",
	"notify":             "message",
	"package":            "ensure mark",
	"resources":          "",
	"schedule":           "",
	"selboolean":         "value",
	"selmodule":          "ensure syncversion",
	"service":            "ensure enable flags logonaccount",
	"ssh_authorized_key": "ensure type key user target options",
	"sshkey":             "ensure type key host_aliases target",
	"tidy":               "",
	"user": "ensure uid gid comment home shell password password_min_age password_max_age password_warn_days " +
		"groups roles auths profiles keys project expiry salt iterations attributes loginclass",
}

// isProperty reports whether Puppet changes the node if a parameter changes.
func isProperty(typ, parameter string) bool {
	switch parameter {
	case "alias", "audit", "before", "consume", "export", "loglevel", "noop", "notify", "require", "schedule", "stage", "subscribe", "tag", "provider", "name", "path":
		return false
	}
	list, core := properties[strings.ToLower(typ)]
	return !core || slices.Contains(strings.Fields(list), parameter)
}

// rate determines the effects of all changes.
func (c *comparison) rate() error {
	if len(c.changes) == 0 {
		return nil
	}
	above := c.new.containment()
	for i := range c.changes {
		ch := &c.changes[i]
		if ch.at != nil {
			parents := above[ch.at.id]
			if ch.op == OpRemove && ch.kind == KindResource {
				parents = c.old.containment()[ch.at.id]
			}
			if len(parents) > 0 {
				ch.container = parents[0]
			}
		}
		c.rateChange(ch)
	}
	return c.refreshes()
}

func (c *comparison) rateChange(ch *change) {
	switch {
	case ch.at == nil:
	case ch.kind == KindResource && ch.op == OpRemove:
		if !ch.at.isDefined() {
			ch.affects("unmanaged", RankInfo, "it stays on the node")
		}
	case ch.at.isDefined():
	case ch.kind == KindResource:
		rateNew(ch)
	case ch.kind == KindRename:
		c.rateRename(ch)
	case ch.kind == KindStatic:
		ch.affects("write-file", RankWrite, "")
	case ch.kind == KindRelation:
		if strings.Contains(ch.detail, "no longer refreshed") {
			ch.affects("lose-refresh", RankWrite, "")
		}
	case !ch.member:
		rateParameter(ch)
	}
	if ch.kind == KindSensitivity && ch.oldSecret {
		ch.affects("expose-secret", RankDanger, "the value is no longer Sensitive")
	}
}

func (c *change) affects(name string, rank Rank, detail string) {
	c.effects = append(c.effects, effect{effect: name, ref: c.ref, rank: rank, detail: detail})
}

// transition describes the change of a value. It is empty for a secret, because a short
// one is not masked in a text.
func (c *change) transition(old, new string) string {
	if c.oldSecret || c.newSecret {
		return ""
	}
	return old + " → " + new
}

// rateNew determines the effects of a new resource.
func rateNew(c *change) {
	typ, ensure := strings.ToLower(c.ref.Type), c.at.text("ensure")
	c.event = !isGone(ensure) && !isTrue(c.at, "noop")
	switch typ {
	case "exec":
		c.event = c.event && !isTrue(c.at, "refreshonly")
		if c.event {
			c.affects("run-exec", RankRestart, "")
		}
		return
	case "service":
		rateService(c, ensure)
		if enable := c.at.text("enable"); enable != "" {
			rateEnable(c, enable)
		}
		return
	case "notify", "resources", "schedule", "filebucket":
		return
	}
	if ensure == "" {
		ensure = "present"
	}
	rateEnsure(c, typ, ensure, "")
}

// rateRename determines the effects of another name: the object with the old one
// stays on the node.
func (c *comparison) rateRename(ch *change) {
	for _, m := range c.matches {
		if m.new != ch.at {
			continue
		}
		name := namevar(ch.ref.Type)
		was, is := m.old.text(name), m.new.text(name)
		if was == "" {
			was = m.old.ref.Title
		}
		if is == "" {
			is = m.new.ref.Title
		}
		if identity(catalog.Ref{Type: ch.ref.Type, Title: was}) == identity(catalog.Ref{Type: ch.ref.Type, Title: is}) {
			return // the title is only a label
		}
		rateNew(ch)
		ch.effects = append(ch.effects, effect{effect: "unmanaged", ref: ch.from, rank: RankInfo, detail: "it stays on the node"})
		return
	}
}

// rateParameter determines the effects of a parameter of a resource.
func rateParameter(c *change) {
	typ, key := strings.ToLower(c.ref.Type), textOf(c.path[0].Key)
	if key == "noop" {
		if isTrue(c.at, "noop") {
			return
		}
		c.affects("leave-noop", RankWrite, "")
		return
	}
	absent := isGone(c.at.text("ensure"))
	if key != "ensure" && absent {
		return
	}
	if typ != "exec" && key == namevar(c.ref.Type) {
		rateNew(c)
		c.affects("unmanaged", RankInfo, "what has the old name stays on the node")
		return
	}
	c.event = isProperty(typ, key) && c.new != nil && !c.same && (c.old == nil || !upgraded(key, c.old, c.new)) && !isTrue(c.at, "noop")
	value, old := "", ""
	if len(c.path) == 1 { // otherwise it is no scalar
		value = c.at.text(key)
		if c.old != nil {
			old = textOf(c.old)
		}
	}
	switch {
	case typ == "file" && (key == "purge" || key == "force" || key == "recurse" || key == "source" && isTrue(c.at, "purge")):
		if isTrue(c.at, "purge") && value != "false" && c.op != OpRemove {
			c.affects("purge", RankDanger, "files that the catalog does not contain are deleted")
		}
	case typ == "exec" && (key == "command" || key == "creates" || key == "unless" || key == "onlyif" || key == "environment" || key == "user"):
		if !isTrue(c.at, "refreshonly") {
			c.affects("run-exec", RankRestart, "")
		}
	case typ == "package" && key == "purge_config":
	case !c.event:
	case key == "ensure" && typ == "service":
		rateService(c, value)
	case key == "ensure":
		rateEnsure(c, typ, value, old)
	case typ == "service" && key == "enable":
		rateEnable(c, value)
	case typ == "file":
		rateFile(c, key, value, old)
	case typ == "user":
		c.affects("change-user", userRank(key), "")
	case typ == "group", typ == "ssh_authorized_key":
		c.affects("change-"+typ, RankDanger, "")
	case typ == "mount":
		c.affects("remount", RankRestart, "")
	case typ == "notify":
	default:
		c.affects("change-"+typ, RankWrite, "")
	}
}

func isTrue(i *item, parameter string) bool {
	switch i.text(parameter) {
	case "true", "yes", "remote", "inf":
		return true
	default:
		return false
	}
}

func isGone(ensure string) bool { return ensure == "absent" || ensure == "purged" }

// rateEnsure determines the effects of `ensure`. old is "" for a new resource.
func rateEnsure(c *change, typ, ensure, old string) {
	switch {
	case typ == "package":
		ratePackage(c, ensure, old)
	case typ == "mount" && (ensure == "unmounted" || ensure == "absent"):
		c.affects("unmount", RankDanger, "")
	case typ == "file" && isGone(ensure):
		c.affects("delete-file", RankDanger, "")
	case typ == "file" && old != "" && !isGone(old) && old != "present" && ensure != "present":
		c.affects("replace-file", RankDanger, c.transition(old, ensure))
	case typ == "file":
		c.affects("write-file", RankWrite, "")
	case isGone(ensure):
		c.affects("remove-"+typ, RankDanger, "")
	case typ == "ssh_authorized_key":
		c.affects("create-"+typ, RankDanger, "")
	default:
		c.affects("create-"+typ, RankWrite, "")
	}
}

func ratePackage(c *change, ensure, old string) {
	isVersion := func(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }
	switch {
	case ensure == "purged":
		c.affects("remove-package", RankDanger, "with its configuration")
	case ensure == "absent":
		c.affects("remove-package", RankDanger, "")
	case old == "" || isGone(old):
		c.affects("install-package", RankWrite, "")
	case isVersion(old) && isVersion(ensure) && compareVersions(ensure, old) < 0:
		c.affects("downgrade-package", RankDanger, c.transition(old, ensure))
	case isVersion(ensure) || ensure == "latest":
		c.affects("change-package", RankWrite, "")
	}
}

func rateService(c *change, ensure string) {
	switch ensure {
	case "stopped", "false":
		c.affects("stop-service", RankDanger, "")
	case "running", "true":
		c.affects("start-service", RankRestart, "")
	}
}

func rateEnable(c *change, enable string) {
	switch enable {
	case "false", "mask", "manual":
		c.affects("disable-service", RankDanger, "")
	default:
		c.affects("enable-service", RankWrite, "")
	}
}

func rateFile(c *change, key, value, old string) {
	switch key {
	case "mode":
		rank := RankWrite
		if opens(old, value) {
			rank = RankDanger
		}
		c.affects("chmod", rank, "")
	case "owner", "group":
		c.affects("chown", RankWrite, "")
	default:
		c.affects("write-file", RankWrite, "")
	}
}

// opens reports whether a mode lets everyone write a file, or runs it as its owner,
// and the old one does not.
func opens(old, mode string) bool {
	const bits = 0o6002
	was, _ := strconv.ParseUint(old, 8, 32)
	is, err := strconv.ParseUint(mode, 8, 32)
	return err == nil && is&bits&^was != 0
}

func userRank(key string) Rank {
	switch key {
	case "comment", "home", "expiry", "password_max_age", "password_min_age", "password_warn_days":
		return RankWrite
	default:
		return RankDanger
	}
}

// compareVersions compares versions of packages as Debian does: numbers by value, other
// characters in order, and `~` before anything.
func compareVersions(a, b string) int {
	a, b = withEpoch(a), withEpoch(b)
	for a != "" || b != "" {
		var x, y string
		x, a = cutRun(a, false)
		y, b = cutRun(b, false)
		if d := compareText(x, y); d != 0 {
			return d
		}
		x, a = cutRun(a, true)
		y, b = cutRun(b, true)
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if d := strings.Compare(x, y); d != 0 {
			return d
		}
	}
	return 0
}

func withEpoch(version string) string {
	if strings.Contains(version, ":") {
		return version
	}
	return "0:" + version
}

// cutRun cuts the digits, or the other characters, off the beginning of a version.
func cutRun(s string, digits bool) (run, rest string) {
	i := 0
	for i < len(s) && ('0' <= s[i] && s[i] <= '9') == digits {
		i++
	}
	return s[:i], s[i:]
}

// compareText compares parts without digits: `~` is less than the end, and letters are
// less than other characters.
func compareText(x, y string) int {
	order := func(s string, i int) int {
		switch {
		case i >= len(s):
			return 0
		case s[i] == '~':
			return -1
		case 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z':
			return int(s[i])
		default:
			return int(s[i]) + 256
		}
	}
	for i := range max(len(x), len(y)) {
		if d := order(x, i) - order(y, i); d != 0 {
			return d
		}
	}
	return 0
}

// inert reports whether a parameter has no effect on the node.
func (x *parameters) inert(key string) bool {
	switch {
	case !x.noise.on[ProfileEffect] || refs.IndexOf(key) >= 0 || key == "noop":
		return false
	case x.match.new.isDefined():
		return x.noise.ignore(ProfileEffect, "parameter of a class or define")
	case key != "ensure" && isGone(x.match.old.text("ensure")) && isGone(x.match.new.text("ensure")) && !removes(key):
		return x.noise.ignore(ProfileEffect, "parameter of an absent resource")
	case x.match.new.ref.Type == "Exec" && key != "refreshonly" && isTrue(x.match.new, "refreshonly") && !x.isRefreshed(x.match.new):
		return x.noise.ignore(ProfileEffect, "parameter of an exec that never runs")
	default:
		return false
	}
}

// isRefreshed reports whether an arrow of the new catalog refreshes a resource, or one
// that contains it.
func (c *comparison) isRefreshed(i *item) bool {
	if c.refreshed == nil {
		arrows, err := c.new.arrows(func(id string) string { return id })
		if err != nil {
			return true
		}
		c.refreshed = make(map[string]bool)
		for a, how := range arrows {
			if how == refreshes {
				c.refreshed[a.to] = true
			}
		}
	}
	seen := make(map[string]bool)
	above := []string{i.id}
	for k := 0; k < len(above); k++ {
		id := above[k]
		if c.refreshed[id] {
			return true
		}
		seen[id] = true
		for _, parent := range c.new.containment()[id] {
			if id := identity(parent); !seen[id] {
				above = append(above, id)
			}
		}
	}
	return false
}

// removes reports whether a parameter matters for the removal of a resource.
func removes(parameter string) bool {
	switch parameter {
	case "force", "recurse", "purge", "rmdirs", "backup", "path", "name", "provider", "uninstall_options", "managehome":
		return true
	default:
		return false
	}
}
