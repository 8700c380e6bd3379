user { 'the app': name => 'app', require => Notify['n'] }
notify { 'n': require => File['/opt/f'] }
file { '/opt/f': owner => 'app' }
