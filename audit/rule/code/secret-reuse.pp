# Fix
PARAMETER => $secrets[$trusted['certname']]
# Wrong
file { '/etc/app/token':
  mode    => '0600',
  content => Sensitive(lookup('profile::app::api_token')),
}
# Right
# Each node has its own token.
file { '/etc/app/token':
  mode    => '0600',
  content => Sensitive(lookup('profile::app::api_tokens')[$trusted['certname']]),
}
