// Package compile compiles catalogs with Puppet, from a branch, a tag or a commit of a
// control repository, or from its working tree.
//
//	Address     names catalogs, such as compile:web01?ref=feature
//	Options     the repository, the ref, the facts, and which Puppet compiles
//	Compiler    compiles the nodes of one revision: New, Nodes, Compile, Tree, Close
//	Tree        the files of the revision, and where its modules are
//	Result      a catalog with the warnings about it
//	Failure     the error of a node that does not compile: message, file, line
//	Effect      what a change does to a node, by the files that it uses: Compiler.Affects
//	FactSource  the facts of nodes: in files, or in PuppetDB
//	Exporter    exported resources: in files, or in PuppetDB
//
// Puppet runs once for each revision, and compiles all its nodes: compiler.rb is the
// program. Two revisions never share a process, because native types and required
// files of one would be used for the other, silently.
//
// # Files
//
// The files of a commit are written to a folder in the cache of the user, outside of the
// working tree: neither the working tree, the index nor the worktrees of the repository
// change, and no hook runs. They are kept for the next run. The files of a process lie in a
// folder of its own, which Close removes; the next call of New removes the folder of a
// killed process.
//
// # Used files
//
// [Compiler.Affects] needs the files that the compilation of a node uses, and those that it looks for
// in vain. recorder.rb records them in the process, below Puppet; each node has a process of
// its own for that, forked from one that has loaded Puppet. A record is a list of paths with digests. It is valid
// for each revision in which the files have these digests, so that it outlives the commit.
//
// # Security
//
// Compiling runs code of the branch: functions, types, Hiera backends. It runs as the
// current user, with an environment that has only PATH and the variables of [Options], with a
// temporary HOME, bounds of time and memory and, where unshare works, without a
// network. It can read every file that the user can read. Compile only branches whose authors may
// run code here.
//
// Catalogs contain secrets in plain text. They are kept in memory only.
package compile
