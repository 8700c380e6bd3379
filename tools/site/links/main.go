// Command links checks the links of a static site: each leads to a file of the site and,
// with a fragment, to an element in it. Links to files in the repository of the project
// must lead to files that exist; other sites are not asked. Each page must be reachable
// from index.html.
//
//	go run ./links SITE REPOSITORY
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// files is the address of the files in the repository.
const files = "https://github.com/pcatdev/pcat/blob/main/"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: links SITE REPOSITORY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(site, repository string) error {
	s := website{pages: map[string]*page{}, dir: os.DirFS(site), repository: repository}
	if err := s.read(); err != nil {
		return err
	}
	links, errs := 0, []error(nil)
	for name, p := range s.pages {
		for _, link := range p.links {
			links++
			if err := s.check(name, link); err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", name, link, err))
			}
		}
	}
	errs = append(errs, s.lost()...)
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	fmt.Printf("%d pages with %d links: %d are dead\n", len(s.pages), links, len(errs))
	return errors.Join(errs...)
}

type website struct {
	pages      map[string]*page // by the path of their file
	dir        fs.FS
	repository string
}

type page struct {
	ids   map[string]bool
	links []string
}

func (s *website) read() error {
	return fs.WalkDir(s.dir, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		f, err := s.dir.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		root, err := html.Parse(f)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p := &page{ids: map[string]bool{}}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch a.Key {
				case "id":
					p.ids[a.Val] = true
				case "href", "src":
					p.links = append(p.links, a.Val)
				}
			}
		}
		s.pages[name] = p
		return nil
	})
}

// check returns an error for a dead link on the page called name.
func (s *website) check(name, link string) error {
	u, err := url.Parse(link)
	if err != nil {
		return err
	}
	if file, ok := strings.CutPrefix(link, files); ok {
		file, _, _ = strings.Cut(file, "#")
		_, err := os.Stat(filepath.Join(s.repository, filepath.FromSlash(file)))
		return err
	}
	if u.IsAbs() || u.Host != "" {
		return nil
	}
	target := s.target(name, u)
	if info, err := fs.Stat(s.dir, target); err != nil || info.IsDir() {
		return errors.New("there is no such file")
	}
	if p := s.pages[target]; u.Fragment != "" && (p == nil || !p.ids[u.Fragment]) {
		return errors.New("there is no such heading")
	}
	return nil
}

// target returns the path of the file that a link on the page called name leads to.
func (s *website) target(name string, u *url.URL) string {
	if u.Path == "" {
		return name
	}
	return path.Join(path.Dir(name), u.Path)
}

// lost returns an error for each page that no links lead to from the first one.
func (s *website) lost() (errs []error) {
	seen := map[string]bool{"index.html": true}
	for next := []string{"index.html"}; len(next) > 0; {
		name := next[0]
		next = next[1:]
		p := s.pages[name]
		if p == nil {
			continue
		}
		for _, link := range p.links {
			if u, err := url.Parse(link); err == nil && !u.IsAbs() && !seen[s.target(name, u)] {
				seen[s.target(name, u)] = true
				next = append(next, s.target(name, u))
			}
		}
	}
	for name := range s.pages {
		if !seen[name] {
			errs = append(errs, fmt.Errorf("%s: no link leads to this page", name))
		}
	}
	return errs
}
