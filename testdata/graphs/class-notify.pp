class svc { file { '/tmp/f': notify => Class['svc'] } exec { '/bin/true': refreshonly => true } }
include svc
