class a { contain c }
class b { contain c }
class c { notify { 'n': } }
include a
include b
Class['a'] -> Class['b']
