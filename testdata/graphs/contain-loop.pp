class a { contain b notify { 'x': } }
class b { contain a }
include a
