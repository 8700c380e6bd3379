// Command deb builds the package for Debian that .goreleaser.yaml describes, and none of the others of a release. The
// test of the package uses it: a whole release takes minutes.
//
//	go run ./deb -config FILE -version VERSION PROGRAM PACKAGE
//
// PROGRAM is the program to install, built for the machine on which this runs; the other files are those of
// packaging/prepare.sh. It runs in the root of the repository.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the packager
	"github.com/goreleaser/nfpm/v2/files"
)

func main() {
	file := flag.String("config", ".goreleaser.yaml", "the configuration of the release is in `FILE`")
	version := flag.String("version", "", "the `VERSION` of the package")
	flag.Parse()
	if err := run(*file, *version, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "deb:", err)
		os.Exit(1)
	}
}

func run(file, version string, args []string) error {
	if len(args) != 2 {
		return errors.New("name the program and the package")
	}
	program, target := args[0], args[1]
	project, err := config.Load(file)
	if err != nil {
		return err
	}
	if len(project.NFPMs) != 1 {
		return fmt.Errorf("%s describes %d packages, not one", file, len(project.NFPMs))
	}
	info, err := describe(project, version, program)
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, out), out.Close())
}

// describe returns the package that the configuration of a release describes.
func describe(project config.Project, version, program string) (*nfpm.Info, error) {
	pkg := project.NFPMs[0]
	expand := strings.NewReplacer("{{ .Os }}", runtime.GOOS, "{{ .Arch }}", runtime.GOARCH)
	contents := files.Contents{{
		Source: program, Destination: path.Join("/usr/bin", project.ProjectName), FileInfo: &files.ContentFileInfo{Mode: 0o755},
	}}
	for _, c := range pkg.Contents {
		source := expand.Replace(c.Source)
		if strings.Contains(source, "{{") {
			return nil, fmt.Errorf("unknown expression in %s", source)
		}
		contents = append(contents, &files.Content{Source: source, Destination: c.Destination, Type: c.Type, Packager: c.Packager})
	}
	return nfpm.WithDefaults(&nfpm.Info{
		Name: project.ProjectName, Arch: runtime.GOARCH, Platform: runtime.GOOS, Version: version, Section: pkg.Section,
		Maintainer: pkg.Maintainer, Description: pkg.Description, Vendor: pkg.Vendor, Homepage: pkg.Homepage, License: pkg.License,
		Overridables: nfpm.Overridables{Contents: contents},
	}), nil
}
