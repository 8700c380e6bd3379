# Fix
PARAMETER => ['PGPASSFILE=/etc/app/pgpass']
# Wrong
class profile::db (Sensitive[String] $password) {
  exec { '/opt/app/bin/migrate':
    environment => Sensitive(["PGPASSWORD=${password.unwrap}"]),
  }
}
include profile::db
# Right
class profile::db (Sensitive[String] $password) {
  file { '/etc/app/pgpass':
    mode    => '0600',
    content => Sensitive("db01:5432:app:app:${password.unwrap}\n"),
  }
  -> exec { '/opt/app/bin/migrate':
    environment => ['PGPASSFILE=/etc/app/pgpass'],
  }
}
include profile::db
