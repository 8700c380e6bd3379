group { 'g': gid => 500, require => User['u'] }
user { 'u': gid => '500', groups => ['x', 'y'] }
group { 'x': require => User['u']}
group { 'y': }
notify { 'z': require => [User['u'], Notify['zz']], before => Group['y'] }
notify { 'zz': require => Group['y'] }
