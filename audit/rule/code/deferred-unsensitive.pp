# Fix
PARAMETER => Sensitive(Deferred('sprintf', ['password=%s', $password]))
# Wrong
$password = Deferred('vault_lookup::lookup', ['secret/data/app', { 'field' => 'password' }])

file { '/etc/app/password':
  mode    => '0600',
  content => Deferred('unwrap', [$password]),
}
# Right
# The function returns a Sensitive value. Where another function needs the plain
# text, wrap the outermost call: Sensitive(Deferred('sprintf', […])).
$password = Deferred('vault_lookup::lookup', ['secret/data/app', { 'field' => 'password' }])

file { '/etc/app/password':
  mode    => '0600',
  content => $password,
}
