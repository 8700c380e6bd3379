exec { 'r': command => '"/opt/my bin/run" --all', before => Notify['n'] }
notify { 'n': before => File['/opt/my bin/run'] }
file { '/opt/my bin/run': }
