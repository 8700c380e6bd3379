# change: move rename Listen[8443]  from Listen[443]
# change: move rename Fragment[Listen 8443]  from Fragment[Listen 443]
# change: move rename Notify[Listen 8443]  from Notify[Listen 443]
# old
define fragment (String $content) { notify { $title: message => "${content} and more text" } }
define listen { fragment { "Listen ${title}": content => "a line for a port" } }
listen { '443': }
# new
define fragment (String $content) { notify { $title: message => "${content} and more text" } }
define listen { fragment { "Listen ${title}": content => "a line for a port" } }
listen { '8443': }
