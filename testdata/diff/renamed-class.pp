# change: move rename Class[Q2]  from Class[Q1]
# old
class q1 { file { '/q': content => 'abc' } service { 's9': ensure => running } }
include q1
# new
class q2 { file { '/q': content => 'abc' } service { 's9': ensure => running } }
include q2
