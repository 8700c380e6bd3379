# The greeting of a node.
function site::greeting(String $name, String $role = 'node') >> String {
  "Hello ${name.capitalize}, you are a ${role}."
}
