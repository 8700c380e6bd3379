# Fix
PARAMETER => Sensitive(Deferred('sprintf', ['password=%s', $password]))
# Wrong
$password = Deferred('vault_lookup::lookup', ['secret/data/app', { 'field' => 'password' }])

file { '/etc/app/db.conf':
  mode    => '0600',
  content => "password = ${password}\n",
}
# Right
$password = Deferred('vault_lookup::lookup', ['secret/data/app', { 'field' => 'password' }])

file { '/etc/app/db.conf':
  mode    => '0600',
  content => Sensitive(Deferred('inline_epp', [
    "password = <%= \$password.unwrap %>\n", { 'password' => $password },
  ])),
}
