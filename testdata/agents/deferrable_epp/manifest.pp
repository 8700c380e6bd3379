# Templates that are evaluated on the agent because a parameter is a call.
file { '/tmp/pcat-agent/server': ensure => file, content => site::deferrable_epp('plain.epp', { 'release' => '1.2', 'role' => 'web' }) }
file { '/tmp/pcat-agent/agent':
  ensure  => file,
  content => site::deferrable_epp('plain.epp', { 'release' => Deferred('join', [['1', '2'], '.']), 'role' => 'web' }),
}
file { '/tmp/pcat-agent/either':
  ensure  => file,
  content => site::deferrable_epp('either.epp', { 'password' => Deferred('site::lookup', ['db/password']), 'user' => 'shop' }),
}
file { '/tmp/pcat-agent/wrapped':
  ensure  => file,
  content => Sensitive(site::deferrable_epp('either.epp', { 'password' => Deferred('site::lookup', ['db/password']), 'user' => 'shop' })),
}
file { '/tmp/pcat-agent/argument':
  ensure  => file,
  content => Deferred('inline_epp', [file(find_template('site/secret.epp')), { 'password' => Sensitive(Deferred('site::license', ['db'])), 'user' => 'shop' }]),
}
