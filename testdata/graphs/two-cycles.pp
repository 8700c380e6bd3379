notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }
notify { 'c': require => Notify['d'] } notify { 'd': require => Notify['c'] }
