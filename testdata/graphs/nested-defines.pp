define app::outer() { app::inner { "${title}-i": } }
define app::inner() { notify { $title: before => App::Outer['x'] } }
app::outer { 'x': }
