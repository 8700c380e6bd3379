# A function that accepts no Sensitive fails, and so does the run of every agent.
file { '/tmp/pcat-agent/other': ensure => file, content => "other\n" }
file { '/tmp/pcat-agent/upper': ensure => file, content => Deferred('upcase', [Sensitive('hunter2')]) }
