# Fix
PARAMETER => Sensitive(lookup('profile::app::private_key'))
# Wrong
file { '/etc/ssl/private/web.key':
  mode    => '0600',
  content => lookup('profile::web::tls_key'),
}
# Right
file { '/etc/ssl/private/web.key':
  mode    => '0600',
  content => Sensitive(lookup('profile::web::tls_key')),
}
