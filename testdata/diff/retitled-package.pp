# change: move rename Package[nginx]  from Package[web server]
# old
package { 'web server': name => 'nginx', ensure => installed }
service { 'nginx': ensure => running, require => Package['web server'] }
# new
package { 'nginx': ensure => installed }
service { 'nginx': ensure => running, require => Package['nginx'] }
