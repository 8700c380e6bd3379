package detect

import "testing"

func TestGenerates(t *testing.T) {
	for command, want := range map[string]bool{
		"wg genkey":                           true,
		"/usr/bin/wg genpsk":                  true,
		"openssl rand -base64 32 | tee /x":    true,
		"head -c 32 /dev/urandom | base64":    true,
		"php artisan key:generate --show":     true,
		"bin/rails secret":                    true,
		"argocd admin initial-password -n x":  true,
		"wg show":                             false,
		"openssl x509 -in /x -noout -dates":   false,
		"php artisan migrate":                 false,
		"kubeadm config images list":          false,
		"systemctl restart rails":             false,
		"vault status":                        false,
		"/opt/secret/rake db:migrate":         false,
		"consul members":                      false,
		"apt-get install pwgen-doc":           false,
		"minisign -V -m /srv/x -p /etc/x.pub": false,
	} {
		if got := generates(command); got != want {
			t.Errorf("%s: got %t", command, got)
		}
	}
}
