package linediff

// maxEdits is the number of removed and added lines that are tried from each end of two
// parts before they are split where most of them is compared.
const maxEdits = 256

// split returns where to divide a and b, so that the differences of both halves together
// are one of a and b. It searches from both ends for the middle of a shortest difference,
// as in "An O(ND) Difference Algorithm and Its Variations" by E. Myers. After maxEdits, it
// takes the point that is farthest from its end. ok is false if the budget is spent.
func (d *differ) split(a, b []int32) (i, j int, ok bool) {
	begin, end := &d.begin, &d.end
	begin.reset(false)
	end.reset(true)
	for edits := range maxEdits + 1 {
		if begin.advance(edits, a, b, end, edits-1) {
			return begin.i, begin.i - begin.k, true
		}
		if end.advance(edits, a, b, begin, edits) {
			return len(a) - end.i, len(b) - (end.i - end.k), true
		}
		if !d.spend(begin.steps + end.steps) {
			d.budget = 0
			return 0, 0, false
		}
	}
	if begin.far >= end.far {
		return begin.i, begin.i - begin.k, true
	}
	return len(a) - end.i, len(b) - (end.i - end.k), true
}

// frontier is how far differences with some number of edits reach from one end of two
// lists. Diagonal k has the pairs of the first i lines of a with the first i-k lines of b,
// or if it is the frontier from the end, of the last ones.
type frontier struct {
	isEnd bool
	reach [2*maxEdits + 3]int // i by diagonal, from -maxEdits-1, or nowhere
	steps int                 // of the last advance
	i, k  int                 // the pair that is farthest from the end, or where two frontiers meet
	far   int                 // the lines of it
}

// nowhere is the reach on a diagonal on which no difference ends.
const nowhere = -1

func (f *frontier) reset(isEnd bool) {
	*f = frontier{isEnd: isEnd, far: -1}
	for k := range f.reach {
		f.reach[k] = nowhere
	}
}

func (f *frontier) at(k int) *int { return &f.reach[maxEdits+1+k] }

// advance sets the reach of differences with one more edit than before. It reports
// whether one meets a difference of the other frontier, which has otherEdits.
func (f *frontier) advance(edits int, a, b []int32, other *frontier, otherEdits int) bool {
	delta := len(a) - len(b)
	f.far, f.steps = -1, 0
	for k := -edits; k <= edits; k += 2 {
		i := f.next(k, edits, len(a), len(b))
		if i != nowhere {
			begin := i
			i = f.follow(a, b, i, i-k)
			f.steps += i - begin
			if 2*i-k > f.far {
				f.i, f.k, f.far = i, k, 2*i-k
			}
		}
		f.steps++
		*f.at(k) = i
		opposite := delta - k
		if i == nowhere || opposite < -otherEdits || opposite > otherEdits || (opposite+otherEdits)%2 != 0 {
			continue
		}
		if reach := *other.at(opposite); reach != nowhere && i+reach >= len(a) {
			f.i, f.k = i, k
			return true
		}
	}
	return false
}

// next returns how far one more edit leads on diagonal k, of lists of m and n lines.
func (f *frontier) next(k, edits, m, n int) int {
	if edits == 0 {
		return 0
	}
	i := *f.at(k - 1) // a line of a is removed
	if i != nowhere {
		i++
	}
	if i > m {
		i = nowhere
	}
	if added := *f.at(k + 1); added > i && added-k <= n {
		i = added
	}
	return i
}

// follow returns the number of lines of a after common lines.
func (f *frontier) follow(a, b []int32, i, j int) int {
	if f.isEnd {
		for i < len(a) && j < len(b) && a[len(a)-1-i] == b[len(b)-1-j] {
			i, j = i+1, j+1
		}
		return i
	}
	for i < len(a) && j < len(b) && a[i] == b[j] {
		i, j = i+1, j+1
	}
	return i
}
