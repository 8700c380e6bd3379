file { 'conf': path => '/etc/conf.d/' , ensure => directory }
file { '/etc/conf.d/x': require => File['/etc/conf.d/'] }
user { 'boss': name => 'joe', alias => 'chief' }
group { 'staff': name => 'st' }
notify { 'n': require => [User['joe'], User['chief'], User['boss'], File['conf'], File['/etc/conf.d/'], Group['st']], name => 'renamed' }
notify { 'o': require => Notify['renamed'] }
exec { 'named': command => '/bin/a', before => Notify['n'] }
exec { 'other': command => '/bin/a' }
tidy { 't': path => '/tmp' } tidy { 't2': path => '/tmp' }
schedule { 'sch': period => daily }
filebucket { 'main': path => false }
