class a { notify { 'i': } notify { 'j': require => Class['a'] } }
include a
