package draw

// Places returns the places of the nodes of a page: x and y relative to the
// container, width and height.
func Places(v *View) [][4]int {
	rects, _, _ := layOut(v)
	list := make([][4]int, len(rects))
	for i, r := range rects {
		list[i] = [4]int{r.x, r.y, r.w, r.h}
	}
	return list
}
