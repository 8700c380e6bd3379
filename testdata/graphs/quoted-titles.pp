notify { "it's [odd] \"x\"": require => Notify['b'] }
notify { 'b': require => Notify["it's [odd] \"x\""] }
