# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
class profile::db (Sensitive[String] $password) {
  file { '/etc/app/seed':
    mode    => '0600',
    content => $password.unwrap,
  }
}
include profile::db
# Right
class profile::db (Sensitive[String] $password) {
  file { '/etc/app/seed':
    mode    => '0600',
    content => $password,
  }
}
include profile::db
