node /^web/ {
  include profile::base
  include profile::shop
}
node /^db/ {
  include profile::base
  include profile::database
}
