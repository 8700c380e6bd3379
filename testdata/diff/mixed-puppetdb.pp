# profile: auto
# change: change value Package[openssh-server] /parameters/ensure
