package environment_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/environment"
)

func TestCut(t *testing.T) {
	for _, tt := range [][3]string{
		{"/etc/puppetlabs/code/environments/production/site/a.pp", "site/a.pp", "production"},
		{"/c/environments/test/modules/environments/manifests/init.pp", "modules/environments/manifests/init.pp", "test"},
		{"/c/environments/test/modules/a/environments/b/c.pp", "modules/a/environments/b/c.pp", "test"},
		{"environments/x/a.pp", "a.pp", "x"},
		{"/x/myenvironments/x/environments/y/a.pp", "a.pp", "y"},
		{"/x/myenvironments/x/a.pp", "/x/myenvironments/x/a.pp", ""},
		{"/x/environments/a.pp", "/x/environments/a.pp", ""},
		{"/x/environments/a/", "/x/environments/a/", ""},
		{"/x/environments//a.pp", "/x/environments//a.pp", ""},
		{"", "", ""},
	} {
		if below, name := environment.Cut(tt[0]); below != tt[1] || name != tt[2] {
			t.Errorf("%s: got %q, %q", tt[0], below, name)
		}
	}
}

func TestManifestOfClass(t *testing.T) {
	for _, tt := range []struct{ path, in, class string }{
		{"/code/environments/production/modules/profile/manifests/db.pp", "profile/manifests/db.pp", "Profile::Db"},
		{"/code/modules/profile/manifests/db/server.pp", "profile/manifests/db/server.pp", "::profile::db::server"},
		{"profile/manifests/init.pp", "profile/manifests/init.pp", "profile"},
		{"/code/environments/production/manifests/site.pp", "", ""},
		{"manifests/site.pp", "", ""},
		{"/code/modules/profile/manifests/db.txt", "", ""},
		{"", "", ""},
	} {
		if got := environment.InModule(tt.path); got != tt.in || tt.class != "" && environment.OfClass(tt.class) != got {
			t.Errorf("%s: got %q, and %q for %s", tt.path, got, environment.OfClass(tt.class), tt.class)
		}
	}
}
