package secret

import "testing"

func TestRoleOf(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]Role{
		"owner": User, "db_host": Host, "shop::db_host": Host, "ServerName": Host, "run-as": User, "ssl_master": NoRole, "certname": Node,
		"file_owner": User, "primary_group": Group, "hostgroup": NoRole, "user_shell": NoRole, "content": NoRole, "my_server_name": Host,
	} {
		if got := RoleOf(key); got != want {
			t.Errorf("%s: %d, want %d", key, got, want)
		}
	}
}

func TestNamesAccount(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"owner": true, "login": true, "user": true, "db_user": true, "db_login": true, "primary_group": true, "name": true, "db_name": true,
		"account": false, "uid": false, "db_account": false, "gid": false, "db_host": false, "content": false, "user_shell": false, "": false,
	} {
		if got := namesAccount(key); got != want {
			t.Errorf("%s: %t", key, got)
		}
	}
}
