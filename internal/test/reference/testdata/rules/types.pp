# Stand-ins for functions and types of modules, as far as the code of the rules uses them.
function node_encrypt::secret(Variant[String, Sensitive[String]] $data) >> Deferred {
  Deferred('node_decrypt', ["-----BEGIN PKCS7-----\nMIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQ\n-----END PKCS7-----\n"])
}
define mysql::db (String $user, String $host, Variant[Undef, String, Sensitive[String]] $password = undef) {}
define postgresql_psql (String $db, Variant[String, Sensitive[String]] $command = $title) {}
define vcsrepo (String $provider, String $source) {}
define host (String $ip) {}
