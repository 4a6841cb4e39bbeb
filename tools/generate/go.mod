module coxswain.dev/generate

go 1.24
