# Fix
PARAMETER => Deferred('vault_lookup::lookup', ['secret/data/app'])
# Wrong
file { '/etc/app/password':
  mode    => '0600',
  content => Deferred('vault_lookup::lookup', ['secret/data/app', {
    'field'       => 'password',
    'auth_method' => 'approle',
    'role_id'     => 'puppet',
    'secret_id'   => lookup('profile::vault::secret_id'),
  }]),
}
# Right
# The agent authenticates with its own certificate.
file { '/etc/app/password':
  mode    => '0600',
  content => Deferred('vault_lookup::lookup', ['secret/data/app', {
    'field'       => 'password',
    'auth_method' => 'cert',
  }]),
}
