notify { 'x': }
notify { 'y': require => Notify['x'] }
Notify <| title == 'x' |> { require => Notify['y'] }
