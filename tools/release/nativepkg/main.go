// Command nativepkg builds one package for Debian or Red Hat, as .goreleaser.yaml describes
// it, and none of the others of a release. The tests of the packages use it: a whole
// release takes minutes.
//
//	go run ./nativepkg -config FILE -name NAME -version VERSION PROGRAM PACKAGE
//
// PROGRAM is the program to install, built for the machine on which this runs; the other
// files are those of packaging/prepare.sh. The name of the package ends in .deb or .rpm. It
// runs in the root of the repository.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the packager
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the packager
)

func main() {
	file := flag.String("config", ".goreleaser.yaml", "the configuration of the release is in `FILE`")
	version := flag.String("version", "", "the `VERSION` of the package")
	name := flag.String("name", "pcat", "the `NAME` of the package")
	flag.Parse()
	if err := run(*file, *name, *version, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "nativepkg:", err)
		os.Exit(1)
	}
}

func run(file, name, version string, args []string) error {
	if len(args) != 2 {
		return errors.New("name the program and the package")
	}
	program, target := args[0], args[1]
	project, err := config.Load(file)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(project.NFPMs, func(p config.NFPM) bool { return cmp.Or(p.PackageName, project.ProjectName) == name })
	if i < 0 {
		return fmt.Errorf("%s describes no package %s", file, name)
	}
	info, err := describe(project.NFPMs[i], name, version, program)
	if err != nil {
		return err
	}
	format := strings.TrimPrefix(path.Ext(target), ".")
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, out), out.Close())
}

// describe returns a package that the configuration of a release describes.
func describe(pkg config.NFPM, name, version, program string) (*nfpm.Info, error) {
	expand := strings.NewReplacer("{{ .Os }}", runtime.GOOS, "{{ .Arch }}", runtime.GOARCH)
	contents := files.Contents{{
		Source: program, Destination: path.Join("/usr/bin", name), FileInfo: &files.ContentFileInfo{Mode: 0o755},
	}}
	for _, c := range pkg.Contents {
		source := expand.Replace(c.Source)
		if strings.Contains(source, "{{") {
			return nil, fmt.Errorf("unknown expression in %s", source)
		}
		contents = append(contents, &files.Content{Source: source, Destination: c.Destination, Type: c.Type, Packager: c.Packager})
	}
	return nfpm.WithDefaults(&nfpm.Info{
		Name: name, Arch: runtime.GOARCH, Platform: runtime.GOOS, Version: version, Section: pkg.Section,
		Maintainer: pkg.Maintainer, Description: pkg.Description, Vendor: pkg.Vendor, Homepage: pkg.Homepage, License: pkg.License,
		Overridables: nfpm.Overridables{Contents: contents, Scripts: nfpm.Scripts{PostInstall: pkg.Scripts.PostInstall, PreRemove: pkg.Scripts.PreRemove}, RPM: nfpm.RPM{Group: pkg.RPM.Group, Summary: pkg.RPM.Summary, BuildHost: pkg.RPM.BuildHost}},
	}), nil
}
