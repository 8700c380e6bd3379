# Functions of modules that are written in the Puppet language.
file { '/tmp/pcat-agent/plain': ensure => file, content => site::greeting('ada') }
file { '/tmp/pcat-agent/greeting': ensure => file, content => Deferred('site::greeting', ['ada', Deferred('$facts', ['role'])]) }
file { '/tmp/pcat-agent/wrapped': ensure => file, content => Deferred('site::wrapped', ['password', Sensitive('hunter2')]) }
