// Package seal encrypts text so that one node can read it, in the form of the
// module node_encrypt: a PKCS#7 message for the certificate of the node, as the
// argument of a Deferred call of `node_decrypt`.
//
//	Sealer        text -> PEM, for the certificate of a node
//	Opener        PEM -> text, with the private key of that node
//	Opener.Value  a value with its calls of node_decrypt answered
//	Opener        is a catalog.Transform, too: the way back of a whole catalog
//
// The message is what OpenSSL calls PKCS7: the text, signed (RFC 2315 section
// 9), then enveloped (section 10). The function node_decrypt asks for a
// signature that is right, and not whose it is; so a [Sealer] makes a signer of
// its own unless it is given one.
//
// Keys are RSA, as those of Puppet's certificates are by default.
package seal
