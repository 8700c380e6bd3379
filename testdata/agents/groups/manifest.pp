# A call in an array for which the agent of Puppet 8 cannot finish the catalog.
File { noop => true }
User { noop => true }
file { '/tmp/pcat-agent/other': ensure => file, content => "other\n" }
user { 'root': groups => ['root', Deferred('downcase', ['WWW-DATA'])], membership => inclusive }
