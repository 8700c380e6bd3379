file { 'one': path => '/tmp/x/../y' }
file { '/tmp/y': }
