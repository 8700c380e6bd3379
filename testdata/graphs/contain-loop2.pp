class a { contain b  }
class b { contain a }
include a
Class['a'] -> Class['b']
