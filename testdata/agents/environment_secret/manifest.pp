# A call in an array that returns a Sensitive: no agent accepts one there.
file { '/tmp/pcat-agent/other': ensure => file, content => "other\n" }
exec { 'environment':
  command     => '/bin/sh -c "echo $PASSWORD > /tmp/pcat-agent/environment"',
  environment => ['MODE=prod', Deferred('new', [Sensitive, 'PASSWORD=hunter2'])],
}
