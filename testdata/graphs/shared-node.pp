notify { 'hub': require => [Notify['x'], Notify['y']] }
notify { 'x': require => Notify['hub'] }
notify { 'y': require => Notify['z'] }
notify { 'z': require => Notify['hub'] }
