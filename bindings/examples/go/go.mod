module example.org/firsttime

go 1.19
