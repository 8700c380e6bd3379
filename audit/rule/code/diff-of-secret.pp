# Fix
show_diff => false
# Wrong
$password = lookup('profile::app::db_password')

file { '/etc/app/db.conf':
  mode    => '0600',
  content => "password = ${password}\n",
}
# Right
$password = lookup('profile::app::db_password')

file { '/etc/app/db.conf':
  mode      => '0600',
  content   => Sensitive("password = ${password}\n"),
  show_diff => false,
}
