class m (Hash[String, Integer] $mode) { }
