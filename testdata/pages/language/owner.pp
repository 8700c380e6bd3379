type Owner = Object[{parent => Annotation, attributes => {team => String}}]
$ports = [80, 443]
Owner.annotate($ports, {team => web})
[Owner.annotate($ports).team, Owner.annotate([80, 443])]
