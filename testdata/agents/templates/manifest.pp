# A template of a module: an agent has only the lib folders of modules.
file { '/tmp/pcat-agent/other': ensure => file, content => "other\n" }
file { '/tmp/pcat-agent/template': ensure => file, content => Deferred('epp', ['site/plain.epp', { 'release' => '1.2', 'role' => 'web' }]) }
