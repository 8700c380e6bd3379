# Elements of lists that are no scalars.
# change: add nested Holder[end] /parameters/value/rules/2
# change: add nested Holder[begin] /parameters/value/0
# change: remove nested Holder[gone] /parameters/value/0
# change: change nested Holder[inside] /parameters/value/1/to
# change: change array Holder[rows] /parameters/value/1
# change: add nested Holder[rows] /parameters/value/2
# change: change rich Holder[rich] /parameters/value/0
# change: add nested Holder[secret] /parameters/value/1
# change: change array Holder[scalars] /parameters/value
# old
define holder($value) { }
holder { 'end': value => { 'rules' => [{ 'from' => '/a' }, { 'from' => '/b' }] } }
holder { 'begin': value => [{ 'from' => '/a' }, { 'from' => '/b' }] }
holder { 'gone': value => [{ 'from' => '/a' }, { 'from' => '/b' }] }
holder { 'inside': value => [{ 'from' => '/a' }, { 'from' => '/b', 'to' => '/c' }] }
holder { 'rows': value => [[1, 2], [3, 4]] }
holder { 'rich': value => [SemVer('1.0.0'), 'x'] }
holder { 'secret': value => [{ 'user' => 'a', 'password' => Sensitive('pw-one-1') }] }
holder { 'scalars': value => ['a', 'b'] }
# new
define holder($value) { }
holder { 'end': value => { 'rules' => [{ 'from' => '/a' }, { 'from' => '/b' }, { 'from' => '/c' }] } }
holder { 'begin': value => [{ 'from' => '/0' }, { 'from' => '/a' }, { 'from' => '/b' }] }
holder { 'gone': value => [{ 'from' => '/b' }] }
holder { 'inside': value => [{ 'from' => '/a' }, { 'from' => '/b', 'to' => '/d' }] }
holder { 'rows': value => [[1, 2], [3, 5], [6]] }
holder { 'rich': value => [SemVer('1.0.1'), 'x'] }
holder { 'secret': value => [{ 'user' => 'a', 'password' => Sensitive('pw-one-1') }, { 'user' => 'b', 'password' => Sensitive('pw-two-2') }] }
holder { 'scalars': value => ['a', 'b', 'c'] }
