// Package seal encrypts text so that only one node can read it. It uses the format of the
// node_encrypt module: a PKCS#7 message for the certificate of the node, as the argument
// of a Deferred call of `node_decrypt`.
//
//	Sealer        text -> PEM, for the certificate of a node
//	Opener        PEM -> text, with the private key of that node
//	Opener.Value  resolves the node_decrypt calls in a value
//
// An [Opener] is also a catalog.Transform that decrypts a whole catalog.
//
// The message has the format that OpenSSL calls PKCS7: the text is signed (RFC 2315
// section 9), then enveloped (section 10). The function node_decrypt requires a valid
// signature but accepts any signer, so a [Sealer] creates a signer unless it is given
// one.
//
// Keys are RSA, the default of Puppet's certificates.
package seal
