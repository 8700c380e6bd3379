// Command about describes the modules of a built program: as a software bill of materials
// (CycloneDX), and as a text with their licences.
//
//	go run ./about [-sbom FILE] [-notices FILE] PROGRAM
//
// It reads the modules from the program itself, and their licences from the module cache,
// so it runs where the program was built. A licence that is not in the list of allowed ones
// is an error. The output depends on the program only.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// allowed are the licences whose terms a program under Apache-2.0 can keep by printing
// them. MPL-2.0 also asks to say where the source is.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0"}

// project is the module whose repository has all programs.
const project = "github.com/pcatdev/pcat"

func main() {
	sbom := flag.String("sbom", "", "write the bill of materials to `FILE`")
	notices := flag.String("notices", "", "write the licences to `FILE`")
	flag.Parse()
	if err := run(flag.Args(), *sbom, *notices); err != nil {
		fmt.Fprintln(os.Stderr, "about:", err)
		os.Exit(1)
	}
}

func run(args []string, sbom, notices string) error {
	if len(args) != 1 {
		return errors.New("name one program")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	modules, err := licensed(info)
	if err != nil {
		return err
	}
	if sbom != "" {
		text, err := bill(info, modules, sha256.Sum256(program))
		if err != nil {
			return err
		}
		if err := os.WriteFile(sbom, text, 0o644); err != nil {
			return err
		}
	}
	if notices != "" {
		return os.WriteFile(notices, texts(path.Base(info.Path), modules), 0o644)
	}
	return nil
}

// module is a module of the program, or the standard library.
type module struct {
	path, version string
	licences      []string // SPDX identifiers
	texts         []text   // of licences and notices
}

type text struct {
	file    string
	content []byte
}

// licensed returns the modules of the program with their licences.
func licensed(info *debug.BuildInfo) ([]module, error) {
	names, err := assets.DefaultClassifier()
	if err != nil {
		return nil, err
	}
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	std := module{path: "std", version: strings.TrimPrefix(info.GoVersion, "go")}
	if err := std.read(root, names); err != nil {
		return nil, err
	}
	modules := []module{std}
	for _, dep := range info.Deps {
		if dep.Path == project {
			continue // it has the licence of the program
		}
		if dep.Replace != nil {
			dep = dep.Replace
		}
		m := module{path: dep.Path, version: dep.Version}
		dir, err := download(m)
		if err != nil {
			return nil, err
		}
		if err := m.read(dir, names); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// download returns the directory of a module in the module cache.
func download(m module) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", m.path+"@"+m.version)
	out, err := cmd.Output()
	var answer struct{ Dir, Error string }
	if failed := json.Unmarshal(out, &answer); failed != nil || answer.Dir == "" {
		return "", fmt.Errorf("%s@%s: %s", m.path, m.version, cmp.Or(answer.Error, fmt.Sprint(err)))
	}
	return answer.Dir, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// read reads the licences in the root of a module.
func (m *module) read(dir string, names *classifier.Classifier) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		m.texts = append(m.texts, text{e.Name(), content})
		for _, match := range names.Match(content).Matches {
			if match.MatchType == "License" && !slices.Contains(m.licences, match.Name) {
				m.licences = append(m.licences, match.Name)
			}
		}
	}
	slices.Sort(m.licences)
	if len(m.licences) == 0 {
		return fmt.Errorf("%s@%s: no licence was recognised in %s", m.path, m.version, dir)
	}
	for _, l := range m.licences {
		if !slices.Contains(allowed, l) {
			return fmt.Errorf("%s@%s: licence %s is not one of %s", m.path, m.version, l, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// texts returns the licences of all modules, one after the other.
func texts(program string, modules []module) []byte {
	line := strings.Repeat("-", 80)
	var b bytes.Buffer
	b.WriteString(program + " contains these works of others, unchanged. Each is followed by its licence. The source of\n" +
		"NAME VERSION is at https://proxy.golang.org/NAME/@v/VERSION.zip, where ! and a small letter stand for a capital one.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "%s %s (%s)\n", m.name(), m.version, strings.Join(m.licences, ", "))
	}
	for _, m := range modules {
		for _, t := range m.texts {
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n%s\n", line, m.name(), m.version, t.file, line, bytes.TrimSpace(t.content))
		}
	}
	return b.Bytes()
}

func (m *module) name() string {
	if m.path == "std" {
		return "Go's standard library"
	}
	return m.path
}

// bill returns the bill of materials of a program.
func bill(info *debug.BuildInfo, modules []module, sum [sha256.Size]byte) ([]byte, error) {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	main := library(module{path: info.Main.Path, version: info.Main.Version, licences: []string{"Apache-2.0"}})
	main.Type = cyclonedx.ComponentTypeApplication
	main.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}
	main.Properties = &[]cyclonedx.Property{
		{Name: "os", Value: settings["GOOS"]}, {Name: "arch", Value: settings["GOARCH"]}, {Name: "revision", Value: settings["vcs.revision"]},
	}
	components := make([]cyclonedx.Component, 0, len(modules))
	refs := make([]string, 0, len(modules))
	for _, m := range modules {
		components = append(components, library(m))
		refs = append(refs, purl(m))
	}
	bom := cyclonedx.NewBOM()
	bom.SerialNumber = serial(sum)
	bom.Metadata = &cyclonedx.Metadata{Timestamp: settings["vcs.time"], Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	var b bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return b.Bytes(), err
}

func library(m module) cyclonedx.Component {
	licences := cyclonedx.Licenses{}
	for _, id := range m.licences {
		licences = append(licences, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
	}
	return cyclonedx.Component{
		BOMRef: purl(m), Type: cyclonedx.ComponentTypeLibrary, Name: m.path, Version: m.version, PackageURL: purl(m), Licenses: &licences,
	}
}

func purl(m module) string { return "pkg:golang/" + m.path + "@" + m.version }

// serial returns a UUID (RFC 9562, version 8) made from a checksum.
func serial(sum [sha256.Size]byte) string {
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
