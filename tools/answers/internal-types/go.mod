module coxswain/tools/answers/internal-types

go 1.26.0
