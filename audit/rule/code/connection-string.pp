# Fix
PARAMETER => Sensitive("Server=db01;User Id=app;Password=${password}")
# Wrong
$password = lookup('profile::app::db_password')

file { '/etc/app/database.conf':
  content => "Server=db01;Database=app;User Id=app;Password=${password}\n",
}
# Right
$password = lookup('profile::app::db_password')

file { '/etc/app/database.conf':
  mode    => '0600',
  content => Sensitive("Server=db01;Database=app;User Id=app;Password=${password}\n"),
}
