# Functions of modules that are written in Ruby.
file { '/tmp/pcat-agent/license': ensure => file, content => Deferred('site::license', ['shop']) }
file { '/tmp/pcat-agent/password': ensure => file, mode => '0600', content => Deferred('site::lookup', ['db/password']) }
file { '/tmp/pcat-agent/wrapped': ensure => file, mode => '0600', content => Sensitive(Deferred('site::license', ['secret'])) }
file { '/tmp/pcat-agent/unwrapped': ensure => file, mode => '0600', content => Deferred('unwrap', [Deferred('site::lookup', ['db/unwrapped'])]) }
file { '/tmp/pcat-agent/line': ensure => file, content => Deferred('join', [['password', Deferred('site::lookup', ['db/line'])], '=']) }
file { '/tmp/pcat-agent/size': ensure => file, content => Deferred('sprintf', ['%d', Deferred('length', [Deferred('site::license', ['shop'])])]) }
