class outer { include inner
 notify { 'o': } }
class inner { notify { 'i': require => Class['outer'] } }
include outer
