# A template that is evaluated on the agent if one of its parameters is a call, and
# else on the server.
function site::deferrable_epp(String $template, Hash $parameters) >> Variant[String, Sensitive[String], Deferred] {
  if $parameters.any |$name, $value| { $value =~ Deferred } {
    Deferred('inline_epp', [file(find_template("site/${template}")), $parameters])
  } else {
    epp("site/${template}", $parameters)
  }
}
