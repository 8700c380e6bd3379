package roundtrip

// StreamInBatches is Stream with batches of another size.
var StreamInBatches = stream
