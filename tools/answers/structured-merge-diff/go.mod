module coxswain/tools/answers/structured-merge-diff

go 1.26
