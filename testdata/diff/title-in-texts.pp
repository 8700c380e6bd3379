# Titles that are words of commands, or parts of other names.
# change: move rename Exec[warm the caches]  from Exec[warm]
# change: move rename Site[shop2.example.com]  from Site[shop.example.com]
# change: move rename File[/etc/sites/shop2.example.com.conf]  from File[/etc/sites/shop.example.com.conf]
# old
define site($aliases) {
  file { "/etc/sites/${title}.conf": content => "server_name ${title} ${aliases.join(' ')};\n" }
}
exec { 'warm': command => '/usr/local/bin/warm --all' }
site { 'shop.example.com': aliases => ['www.shop.example.com', 'store.example.com'] }
# new
define site($aliases) {
  file { "/etc/sites/${title}.conf": content => "server_name ${title} ${aliases.join(' ')};\n" }
}
exec { 'warm the caches': command => '/usr/local/bin/warm --all' }
site { 'shop2.example.com': aliases => ['www.shop.example.com', 'store.example.com'] }
