# change: remove resource Stage[first] 
# change: add resource Stage[last] 
# change: change container Class[Base] /container
# change: change value Class[Base] /parameters/stage
# old
class base { notify { 'x': } }
stage { 'first': before => Stage['main'] }
class { 'base': stage => 'first' }
# new
class base { notify { 'x': } }
stage { 'last': require => Stage['main'] }
class { 'base': stage => 'last' }
