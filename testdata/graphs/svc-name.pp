service { 'web': name => 'apache2' }
notify { 'x': require => Service['apache2'] }
