define d($x = 1) { notify { "d ${title}": } }
d { 'a': }
notify { 'r': require => D['a'] }
d { 'b': alias => 'bb' }
notify { 'r2': require => D['bb'] }
