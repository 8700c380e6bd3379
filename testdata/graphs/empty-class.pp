class mid { }
include mid
notify { ['a','b']: }
Notify['a'] -> Class['mid'] -> Notify['b']
Notify['b'] -> Notify['a']
