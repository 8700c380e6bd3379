package seal

// Envelop encrypts content that is not signed.
var Envelop = envelop
