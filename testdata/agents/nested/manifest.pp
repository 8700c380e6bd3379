# Calls in arrays, in hashes, and in the arguments of calls.
file { '/tmp/pcat-agent/first': ensure => file, content => [Deferred('upcase', ['first'])] }
file { '/tmp/pcat-agent/deep':
  ensure  => file,
  content => Deferred('join', [[Deferred('upcase', ['a']), [Deferred('sprintf', ['%s', Deferred('downcase', ['B'])])]], '-']),
}
file { '/tmp/pcat-agent/hash':
  ensure  => file,
  content => Deferred('inline_epp', ["<%= \$h['a']['b'] %>\n", { 'h' => { 'a' => { 'b' => Deferred('upcase', ['x']) } } }]),
}
notify { 'array': message => [Deferred('upcase', ['a']), 'b'] }
notify { 'hash': message => { 'a' => Deferred('upcase', ['a']) } }
file { '/tmp/pcat-agent/owned':
  ensure  => [Deferred('downcase', ['FILE'])],
  content => [Deferred('upcase', ['owned']), 'ignored'],
  mode    => [Deferred('join', [['06', '00'], ''])],
  owner   => [Deferred('downcase', ['ROOT'])],
  group   => [Deferred('downcase', ['ROOT'])],
}
file { '/tmp/pcat-agent/second': ensure => file, content => ['second', Deferred('upcase', ['ignored'])] }
user { 'root':
  home    => [Deferred('join', [['', 'srv', 'root'], '/'])],
  comment => [Deferred('upcase', ['root'])],
  shell   => [Deferred('join', [['', 'bin', 'sh'], '/'])],
  noop    => true,
}
service { 'pcat-service': ensure => [Deferred('downcase', ['RUNNING'])], provider => debian, noop => true }
