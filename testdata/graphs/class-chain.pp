class a { notify { 'a1': } notify { 'a2': require => Notify['a1'] } contain b }
class b { notify { 'b1': require => Notify['c1'] } }
class c { notify { 'c1': subscribe => D['x'] } }
define d { notify { "d-${title}": require => Class['a'] } d2 { "in-${title}": } }
define d2 { notify { "d2-${title}": before => Notify['z'] } }
notify { 'z': }
d { 'x': }
include a, c
Notify['z'] -> Class['a']
