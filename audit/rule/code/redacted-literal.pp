# Fix
PARAMETER => Sensitive("password = ${password.unwrap}")
# Wrong
class profile::db (Sensitive[String] $password) {
  file { '/etc/app/db.conf':
    mode    => '0600',
    content => "password = ${password}\n",
  }
}
include profile::db
# Right
class profile::db (Sensitive[String] $password) {
  file { '/etc/app/db.conf':
    mode    => '0600',
    content => Sensitive("password = ${password.unwrap}\n"),
  }
}
include profile::db
