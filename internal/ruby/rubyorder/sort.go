package rubyorder

// Sort sorts values with the comparisons that Ruby makes on Linux, in the same order: those of the merge sort of the C
// library. The result of a comparison that defines no order, and the pair in an error, depend on them. compare returns a
// negative number if a is first, and a positive one if b is; after an error, which Sort returns, values are in no
// specified order.
func Sort[T any](values []T, compare func(a, b T) (int, error)) error {
	return sortWith(values, make([]T, len(values)), compare)
}

// sortWith sorts values; merged has the same length.
func sortWith[T any](values, merged []T, compare func(a, b T) (int, error)) error {
	if len(values) < 2 {
		return nil
	}
	half := len(values) / 2
	left, right := values[:half], values[half:]
	if err := sortWith(left, merged[:half], compare); err != nil {
		return err
	}
	if err := sortWith(right, merged[half:], compare); err != nil {
		return err
	}
	n := 0
	for len(left) > 0 && len(right) > 0 {
		order, err := compare(left[0], right[0])
		if err != nil {
			return err
		}
		from := &left
		if order > 0 {
			from = &right
		}
		merged[n], *from = (*from)[0], (*from)[1:]
		n++
	}
	n += copy(merged[n:], left) // the rest of right is in its place
	copy(values, merged[:n])
	return nil
}
