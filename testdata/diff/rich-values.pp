# change: change rich Notify[a] /parameters/message
# change: change type Notify[b] /parameters/message
# change: change rich Notify[c] /parameters/message
# change: change rich File[/d] /parameters/content
# old
notify { 'a': message => Timestamp('2026-01-01') }
notify { 'b': message => 5 }
notify { 'c': message => /x/ }
file { '/d': content => Binary('AAEC') }
# new
notify { 'a': message => Timestamp('2026-01-02') }
notify { 'b': message => '5' }
notify { 'c': message => /y/ }
file { '/d': content => Binary('AAED') }
