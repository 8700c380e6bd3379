# A template that only accepts a Sensitive, with a call that returns one.
file { '/tmp/pcat-agent/other': ensure => file, content => "other\n" }
file { '/tmp/pcat-agent/typed':
  ensure  => file,
  content => site::deferrable_epp('secret.epp', { 'password' => Deferred('new', [Sensitive, 'hunter2']), 'user' => 'shop' }),
}
