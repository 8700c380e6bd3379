# Installs the package, which has `pcatd`, its service and the terminus. The classes `pcatd` and `pcatd::terminus` include
# this class. Set its parameters in Hiera, or declare it before them.
#
# @param ensure
#   The version of the package, `installed` or `latest`.
# @param source
#   The file of the package on the node, if its version is in no repository.
class pcatd::package (
  String[1] $ensure = 'installed',
  Optional[Pattern[/\A\//]] $source = undef,
) {
  $provider = $source ? {
    undef      => undef,
    /\.deb\z/ => 'dpkg',
    default    => 'rpm',
  }
  package { 'pcatd':
    ensure   => $ensure,
    source   => $source,
    provider => $provider,
  }
}
