module github.com/pcatdev/pcat

go 1.26
