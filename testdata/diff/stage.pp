# change: change container Class[B] /container
# change: add value Class[B] /parameters/stage
# old
stage { 'pre': before => Stage['main'] }
class b { notify { 'b': } }
class { 'b': }
# new
stage { 'pre': before => Stage['main'] }
class b { notify { 'b': } }
class { 'b': stage => 'pre' }
