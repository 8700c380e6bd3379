# A call in an array that the agent of Puppet 8 refuses when it reads the catalog.
file { '/tmp/pcat-agent/other': ensure => file, content => "other\n" }
exec { 'environment':
  command     => '/bin/sh -c "echo $MODE > /tmp/pcat-agent/environment"',
  environment => [Deferred('join', [['MODE', 'prod'], '='])],
}
