// Package locate finds resources of a catalog by the names that people use for
// them.
//
//	Target    names one resource, or a location in it: Type[title]/parameter/key,
//	          or a title without a type, which Bare makes
//	Selector  selects resources: File, File[/etc/motd] or File[/etc/*]
//	Find      returns the resources of Targets, with containers and relations
//	Near      returns references that are similar to a wrong one
//	Value     returns the value at a location of a resource
//
// References are compared as Puppet compares them: `file[/etc/motd]` equals
// `File[/etc/motd]`, `Class[site::app]` equals `Class[Site::App]`, and
// `File[/srv/]` equals `File[/srv]`. A resource is also found by its aliases and
// by its name, such as the path of a File, unless the title of another resource
// equals it.
package locate
