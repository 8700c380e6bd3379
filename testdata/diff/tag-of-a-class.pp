# change: add array Class[T] /parameters/tag
# old
class t { file { '/t1': } file { '/t2': } }
class { 't': }
# new
class t { file { '/t1': } file { '/t2': } }
class { 't': tag => 'blue' }
