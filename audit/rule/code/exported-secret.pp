# Fix
TYPE <<| |>> { PARAMETER => Sensitive(lookup('profile::app::PARAMETER')) }
# Wrong
@@mysql::db { "app_${trusted['hostname']}":
  user     => 'app',
  password => lookup('profile::app::db_password'),
  host     => $trusted['certname'],
}
# Right
# On the node of the application:
@@mysql::db { "app_${trusted['hostname']}":
  user => 'app',
  host => $trusted['certname'],
}

# On the node of the database:
Mysql::Db <<| user == 'app' |>> {
  password => Sensitive(lookup('profile::app::db_password')),
}
