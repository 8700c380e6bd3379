notify { 'z': require => [[Notify['a'], [Notify['b']]], Notify['c']] }
notify { ['a','b','c']: }
