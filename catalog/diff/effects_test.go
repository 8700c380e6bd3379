package diff_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/redact"
)

// applied is a pair of catalogs with the events of real Puppet, which applied both; see
// internal/test/reference/testdata/effects/effects.rb.
type applied struct {
	Name, Why  string
	Old, New   json.RawMessage
	Changed    map[string][]string
	Refreshed  []string
	Always     []string
	AlwaysNew  []string
	Setup      string
	Between    string
	FailedRefs []string `json:"failed"`
}

var effects = flag.String("effects", "testdata/effects.jsonl", "compare with the answers in `FILE`")

// TestEffects compares the effects of changes with the answers of Puppet.
func TestEffects(t *testing.T) {
	data, err := os.ReadFile(*effects)
	if err != nil {
		t.Fatal(err)
	}
	all, exact := 0, 0
	missed := make(map[string]bool)
	for line := range bytes.Lines(data) {
		a := applied{}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		a.compact(t)
		all++
		changed, refreshed := predicted(t, &a)
		wantChanged, wantRefreshed := a.truth()
		if slices.Equal(changed, wantChanged) && slices.Equal(refreshed, wantRefreshed) {
			exact++
			continue
		}
		if missed[a.Name] = true; unknowable[a.Name] == "" {
			t.Errorf("%s: %s\n  changes   %q, Puppet %q\n  refreshes %q, Puppet %q", a.Name, a.Why, changed, wantChanged, refreshed, wantRefreshed)
		}
	}
	for name := range unknowable {
		if !missed[name] {
			t.Errorf("%s is right; remove it from the list", name)
		}
	}
	t.Logf("%d of %d are exact", exact, all)
	if all < 400 {
		t.Errorf("only %d cases", all)
	}
}

// unknowable are the cases that the catalogs do not decide, with the open question.
var unknowable = because(map[string]string{
	"the numbers of users and groups":          "file-owner-name-to-number user-gid-name user-gid-number d-build-umask-setgid",
	"whether the object exists":                "file-ensure-absent-never user-absent-never cron-absent-never unmanaged-file-exists unmanaged-mode-only-missing exec-creates-file-declared b-release-rollback e-user-role-absent-again",
	"the bytes behind a source":                "file-content-same-source file-source-same-content file-source-other-same file-checksum-value concat-fragment-source file-links-manage-source b-tree-to-files b-file-line-to-file c-deploy-source-to-content c-links-source-follow e-concat-backup-owner",
	"the result of a call":                     "file-content-deferred b-deferred-secret",
	"other files in a folder":                  "purge-switched-on-managed purge-nested-undeclared purge-exec-keeps tidy-added tidy-managed trace-tidy c-static-assets-recurse",
	"whether the node has SELinux":             "file-selinux",
	"whether the target of a link exists":      "file-replace-link-dangling",
	"what a type of a module names":            "file-line-moved",
	"what a condition says":                    "exec-creates-added exec-onlyif-file exec-refreshonly-unless exec-refreshonly-onlyif-chain b-archive-onlyif",
	"whether a service runs":                   "service-new-running service-status-other service-renamed unmanaged-service-ensure-added e-service-without-ensure",
	"whether a resource fails":                 "mixed-failed-dependency b-configtest-fails b-validate-cmd-rejects",
	"whether a table has a field":              "mount-atboot-added",
	"when the resource was applied last":       "schedule-daily schedule-daily-added c-schedule-daily-exec c-schedule-hourly-package",
	"which versions there are":                 "package-latest package-pinned package-absent-to-purged b-pin-latest c-packages-cleanup",
	"a fault of Puppet: content under audit":   "c-backup-checksum",
	"that somebody changed the node meanwhile": "file-source-edited relation-subscribe-directory unmanaged-replaced-by-hand unmanaged-by-hand-new file-audit-by-hand",
})

// because returns the reason of each name.
func because(reasons map[string]string) map[string]string {
	all := make(map[string]string)
	for reason, names := range reasons {
		for name := range strings.FieldsSeq(names) {
			all[name] = reason
		}
	}
	return all
}

// compact removes the blanks of the catalogs.
func (a *applied) compact(t *testing.T) {
	t.Helper()
	for _, c := range []*json.RawMessage{&a.Old, &a.New} {
		var b bytes.Buffer
		if err := json.Compact(&b, *c); err != nil {
			t.Fatal(err)
		}
		*c = b.Bytes()
	}
}

// truth returns the resources that changed and those that were refreshed, but not in each run.
func (a *applied) truth() (changed, refreshed []string) {
	for ref := range a.Changed {
		changed = append(changed, a.declaring(ref))
	}
	return a.new(changed), a.new(a.Refreshed)
}

// new returns references, sorted, without those that Puppet changes in each run.
func (a *applied) new(refs []string) []string {
	refs = slices.DeleteFunc(slices.Clone(refs), func(ref string) bool { return slices.Contains(a.Always, ref) || strings.HasPrefix(ref, "Notify[") })
	slices.Sort(refs)
	return slices.Compact(refs)
}

// declaring returns the resource that manages a file: the file itself, or the nearest folder, about
// whose files the catalogs say no more.
func (a *applied) declaring(ref string) string {
	path, isFile := strings.CutPrefix(strings.TrimSuffix(ref, "]"), "File[")
	if !isFile || a.declares(path) {
		return ref
	}
	for path != "/" {
		path = filepath.Dir(path)
		for _, typ := range []string{"Tidy", "File"} {
			if strings.Contains(string(a.New), fmt.Sprintf(`"type":%q,"title":%q`, typ, path)) {
				return fmt.Sprintf("%s[%s]", typ, path)
			}
		}
	}
	return ref
}

// declares reports whether a catalog has a file by its path.
func (a *applied) declares(path string) bool {
	text := string(a.Old) + string(a.New)
	for _, typ := range []string{"File", "Concat_file"} {
		if strings.Contains(text, fmt.Sprintf(`"type":%q,"title":%q`, typ, path)) {
			return true
		}
	}
	return strings.Contains(text, fmt.Sprintf(`"path":%q`, path))
}

// predicted returns the resources that the report says would change, and would be refreshed.
func predicted(t *testing.T, a *applied) (changed, refreshed []string) {
	t.Helper()
	old, new := catalogtest.JSON(string(a.Old)), catalogtest.JSON(string(a.New))
	r, err := diff.Compare(t.Context(), catalogtest.Side(t, old), catalogtest.Side(t, new), redact.NewFinder(nil), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	purged := make(map[string]bool)
	for i := range r.Changes {
		for _, e := range r.Changes[i].Effects {
			switch e.Effect {
			case "purge":
				purged[e.Ref] = true
			case "refresh":
				refreshed = append(refreshed, e.Ref)
			case "unmanaged", "lose-refresh", "gain-refresh", "expose-secret", "fail":
			default:
				changed = append(changed, e.Ref)
			}
		}
	}
	for ref := range purged { // it is not known of which files, unless they leave the catalog
		inside := strings.TrimSuffix(ref, "]") + "/"
		if typ, ok := strings.CutPrefix(ref, "Resources["); ok {
			inside = puppet.TypeName(strings.TrimSuffix(typ, "]")) + "["
		}
		if !slices.ContainsFunc(changed, func(other string) bool { return strings.HasPrefix(other, inside) }) {
			changed = append(changed, ref)
		}
	}
	return a.new(changed), a.new(refreshed)
}
