define m::port (Integer[1, 65535] $port, Array[M::Point] $points = []) { }
