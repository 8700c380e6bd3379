class d { file { '/opt/c': ensure => directory } }
class f { file { '/opt/c/f': ensure => file } }
include d
include f
Class['f'] -> Class['d']
