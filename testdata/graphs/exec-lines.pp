exec { 'r': command => "/bin/true\n/opt/bin/run", before => Notify['n'] }
notify { 'n': before => File['/opt/bin/run'] }
file { '/opt/bin/run': }
