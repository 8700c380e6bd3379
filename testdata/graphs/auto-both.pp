file { '/x': ensure => link, target => '/x/y' }
file { '/x/y': }
file { '/z/y': before => Notify['n'] }
file { '/z': ensure => link, target => '/z/y', require => Notify['n'] }
notify { 'n': }
