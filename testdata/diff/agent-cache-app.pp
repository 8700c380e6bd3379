# profile: auto
