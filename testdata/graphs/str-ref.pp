notify { 'z': require => "Notify[a]" }
notify { 'a': }
