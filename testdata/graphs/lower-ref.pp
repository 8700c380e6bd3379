notify { 'z': require => "notify[a]" }
notify { 'a': }
