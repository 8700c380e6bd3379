# change: change container File[/c] /container
# old
class a { file { '/c': } }
class b { notify { 'b': } }
include a, b
# new
class a { }
class b { notify { 'b': } file { '/c': } }
include a, b
