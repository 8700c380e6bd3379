type M::Point = Object[{attributes => {x => Integer, y => Integer}}]
