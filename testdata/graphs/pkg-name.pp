package { 'web': name => 'apache2' }
notify { 'x': require => Package['apache2'] }
