# Calls without secrets as whole parameters.
file { '/tmp/pcat-agent/motd':
  ensure  => file,
  content => Deferred('sprintf', ["%s runs %s\n", Deferred('$facts', ['networking', 'hostname']), Deferred('$facts', ['os', 'name'])]),
  mode    => Deferred('join', [['06', '40'], '']),
}
file { '/tmp/pcat-agent/list': ensure => file, content => Deferred('join', [['b', 'a', 'c'], "\n"]) }
file { '/tmp/pcat-agent/template':
  ensure  => file,
  content => Deferred('inline_epp', ["role <%= \$role %> of <%= \$facts['networking']['fqdn'] %>\n", { 'role' => Deferred('$facts', ['role']) }]),
}
file { '/tmp/pcat-agent/unset': ensure => file, content => Deferred('sprintf', ['<%s>', Deferred('$facts', ['absent'])]) }
exec { 'command': command => Deferred('sprintf', ['/bin/sh -c "echo %s > /tmp/pcat-agent/command"', 'ran']) }
exec { 'condition': command => '/bin/sh -c "echo ran > /tmp/pcat-agent/condition"', unless => Deferred('join', [['/bin', 'false'], '/']) }
notify { 'basic': message => Deferred('upcase', ['done']) }
