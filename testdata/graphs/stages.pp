stage { 'first': before => Stage['main'] }
class early { notify { 'e': require => Class['late'] } }
class late { notify { 'l': } }
class { 'early': stage => first }
include late
