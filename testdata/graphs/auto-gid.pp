user { 'app': gid => 4711, before => Notify['n'] }
notify { 'n': before => Group['grp'] }
group { 'grp': gid => 4711 }
