# Fix
PARAMETER => Sensitive(lookup('PARAMETER'))
# Wrong
$password = lookup('profile::app::db_password')

exec { "/opt/app/bin/setup --password=${password}": }
# Right
$password = lookup('profile::app::db_password')

file { '/etc/app/password':
  mode    => '0600',
  content => Sensitive($password),
}
-> exec { '/opt/app/bin/setup --password-file=/etc/app/password': }
