class a { }
class { 'a': require => Class['a'] }
