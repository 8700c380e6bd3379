# Fix
PARAMETER => '/opt/app/bin/run --password-file /etc/app/password'
# Wrong
$password = lookup('profile::app::db_password')

exec { 'create the schema':
  command => "/usr/bin/mysql -u app -p${password} -e 'source /opt/app/schema.sql'",
}
# Right
$password = lookup('profile::app::db_password')

file { '/etc/app/my.cnf':
  mode    => '0600',
  content => Sensitive("[client]\nuser=app\npassword=${password}\n"),
}
-> exec { 'create the schema':
  command => "/usr/bin/mysql --defaults-file=/etc/app/my.cnf -e 'source /opt/app/schema.sql'",
}
