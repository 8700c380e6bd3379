# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
$upload = lookup('profile::app::upload')

file { '/etc/app/upload.conf':
  mode    => '0600',
  content => "target = backup.example.com\nauthenticator = ${upload}\n",
}
# Right
$upload = Sensitive(lookup('profile::app::upload'))

file { '/etc/app/upload.conf':
  mode    => '0600',
  content => Sensitive("target = backup.example.com\nauthenticator = ${upload.unwrap}\n"),
}
