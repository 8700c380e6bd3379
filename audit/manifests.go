package audit

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/environment"
)

// manifests are the manifests that the resources of a document name. They locate classes that
// are declared by include, which have no file in a catalog. The zero value is empty, and nil
// locates nothing.
type manifests struct {
	files map[manifest]string
	last  manifest // of the last resource
}

// manifest identifies the manifest of a class or a define in a document.
type manifest struct {
	list string // the pointer to the resources, which differs for each catalog
	path string // from the module, as [environment.InModule] returns it
}

// add adds the manifest of a resource.
func (m *manifests) add(r *leaf.Resource, kept *interner) {
	k := manifest{listOf(r.Pointer), environment.InModule(r.File)}
	if k.path == "" || k == m.last { // resources of one manifest follow each other
		return
	}
	if _, known := m.files[k]; known {
		return
	}
	if m.files == nil {
		m.files = map[manifest]string{}
	}
	file := kept.text(r.File)
	k = manifest{strings.Clone(k.list), environment.InModule(file)}
	m.files[k], m.last = file, k
}

// locate sets the file of a class without one to that from which Puppet loads the class, if
// another resource of the catalog is declared there. The line remains unknown.
func (m *manifests) locate(p *location) {
	if m != nil && p.file == "" && p.ref.Type == "Class" && (p.ref != catalog.Ref{Type: "Class", Title: "main"}) {
		p.file = m.files[manifest{listOf(p.base), environment.OfClass(p.ref.Title)}]
	}
}

// listOf returns the pointer to the list that contains the element at pointer.
func listOf(pointer string) string { return pointer[:max(strings.LastIndexByte(pointer, '/'), 0)] }
