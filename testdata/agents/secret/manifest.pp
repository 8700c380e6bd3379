# Calls that return secrets, or have secrets as arguments.
file { '/tmp/pcat-agent/around': ensure => file, content => Sensitive(Deferred('sprintf', ["password=%s\n", 'hunter2'])) }
file { '/tmp/pcat-agent/made': ensure => file, content => Deferred('new', [Sensitive, "password=hunter2\n"]) }
file { '/tmp/pcat-agent/epp':
  ensure  => file,
  content => Deferred('inline_epp', ["password=<%= \$p.unwrap %>\n", { 'p' => Sensitive('hunter2') }]),
}
file { '/tmp/pcat-agent/unwrapped': ensure => file, content => Deferred('unwrap', [Sensitive("password=hunter2\n")]) }
file { '/tmp/pcat-agent/joined': ensure => file, content => Deferred('join', [['password', Sensitive('hunter2')], '=']) }
file { '/tmp/pcat-agent/formatted': ensure => file, content => Deferred('sprintf', ['password=%s', Sensitive('hunter2')]) }
file { '/tmp/pcat-agent/joined-late':
  ensure  => file,
  content => Deferred('join', [['password', Deferred('new', [Sensitive, 'hunter2'])], '=']),
}
file { '/tmp/pcat-agent/twice': ensure => file, content => Sensitive(Deferred('new', [Sensitive, 'hunter2'])) }
