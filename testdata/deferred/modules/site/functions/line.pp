# A line of an ini file.
function site::line(String $key, Scalar $value) >> String {
  "${key} = ${value}\n"
}
