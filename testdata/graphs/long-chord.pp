$n = ['n0','n1','n2','n3','n4','n5','n6','n7']
notify { $n: }
Notify['n0'] -> Notify['n1'] -> Notify['n2'] -> Notify['n3'] -> Notify['n4'] -> Notify['n5'] -> Notify['n6'] -> Notify['n7'] -> Notify['n4']
Notify['n7'] -> Notify['n0']
