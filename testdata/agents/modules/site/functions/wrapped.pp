# A line of a configuration as a secret.
function site::wrapped(String $key, Variant[String, Sensitive[String]] $value) >> Sensitive[String] {
  $plain = $value ? { Sensitive => $value.unwrap, default => $value }
  Sensitive("${key}=${plain}\n")
}
