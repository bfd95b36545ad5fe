# fish completion for firsttime(1). Keys come from `firsttime list --keys` of the store that the line names.

# The words before the one that is completed, without options and their values: the command and its operands.
function __firsttime_words
    set -l skip no
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case --
                return
            case --store --app --after --wait --skip-status --app-version --prefix --policy --defaults-key --interval --format
                set skip yes
            case '-*'
            case '*'
                echo -- $word
        end
    end
end

# Whether the command is among the arguments, and, after a number, has so many operands already.
function __firsttime_is
    contains -- -- (commandline -opc); and return 1
    set -l words (__firsttime_words)
    if string match -qr '^[0-9]+$' -- $argv[1]
        test (count $words) -eq (math $argv[1] + 1); or return 1
        set -e argv[1]
    end
    set -q words[1]; and contains -- $words[1] $argv
end

function __firsttime_none
    test (count (__firsttime_words)) -eq 0
end

function __firsttime_keys
    set -l words (commandline -opc)
    set -l store
    for index in (seq (count $words))
        if contains -- $words[$index] --store --app
            set store $words[$index] $words[(math $index + 1)]
        end
    end
    firsttime list --keys $store 2>/dev/null
end

# What follows -- is a command line of its own.
function __firsttime_program
    set -l words (commandline -opc) (commandline -ct)
    set -l at (contains -i -- -- $words); or return
    complete -C (string join ' ' -- (string escape -- $words[(math $at + 1)..]))
end

complete -c firsttime -f
complete -c firsttime -n 'contains -- -- (commandline -opc)' -a '(__firsttime_program)'
complete -c firsttime -n __firsttime_none -a once -d 'run CMD if KEY has never run'
complete -c firsttime -n __firsttime_none -a per-version -d 'run CMD once for each version'
complete -c firsttime -n __firsttime_none -a every -d 'run CMD once per interval'
complete -c firsttime -n __firsttime_none -a list -d 'list what is recorded'
complete -c firsttime -n __firsttime_none -a show -d 'show one key'
complete -c firsttime -n __firsttime_none -a due -d 'tell by the exit status whether a key is due'
complete -c firsttime -n __firsttime_none -a events -d 'list donated events'
complete -c firsttime -n __firsttime_none -a path -d 'print the path of the archive'
complete -c firsttime -n __firsttime_none -a mark -d 'record a run of a key'
complete -c firsttime -n __firsttime_none -a reset -d 'forget keys'
complete -c firsttime -n __firsttime_none -a donate -d 'count an event'
complete -c firsttime -n __firsttime_none -a rule -d 'check the text of a rule'
complete -c firsttime -n __firsttime_none -a import -d 'take over an old archive, preferences or events'
complete -c firsttime -n __firsttime_none -a export -d 'write a copy of all state'
complete -c firsttime -n __firsttime_none -a verify -d 'look for everything that is wrong with a file'
complete -c firsttime -n __firsttime_none -a repair -d 'save what can be saved of a broken archive'
complete -c firsttime -n __firsttime_none -a dump -d 'show any archive or property list as text'
complete -c firsttime -n __firsttime_none -a help -d 'explain a command'
complete -c firsttime -n __firsttime_none -l version -d 'print the version'
complete -c firsttime -l store -r -F -d 'the archive file'
complete -c firsttime -l app -x -d 'the app whose store it is'
complete -c firsttime -l help -d 'explain the command'

set -l runs once per-version every
complete -c firsttime -n "__firsttime_is $runs" -l after -x -d 'the shell command to run when KEY is not due'
complete -c firsttime -n "__firsttime_is $runs" -l at-most-once -d 'record the run before it begins'
complete -c firsttime -n "__firsttime_is $runs" -l baseline -d 'record a KEY never seen, and run nothing'
complete -c firsttime -n "__firsttime_is $runs" -l no-wait -d 'fail at once while another process runs KEY'
complete -c firsttime -n "__firsttime_is $runs" -l wait -x -d 'wait so long for another process'
complete -c firsttime -n "__firsttime_is $runs" -l skip-status -x -d 'exit with N when KEY is not due'
complete -c firsttime -n "__firsttime_is $runs list show due mark donate" -l app-version -x -d 'the version that runs'
complete -c firsttime -n '__firsttime_is list events reset' -l prefix -x -d 'only what begins so'
complete -c firsttime -n '__firsttime_is list show' -l policy -x -a 'once per-version hourly daily weekly monthly quarterly yearly' -d 'tell when it is due'
complete -c firsttime -n '__firsttime_is list' -l keys -d 'the keys alone, one a line'
complete -c firsttime -n '__firsttime_is list show events dump' -l json -d 'JSON, for scripts'
complete -c firsttime -n '__firsttime_is reset' -l all -d 'every key'
complete -c firsttime -n '__firsttime_is reset' -l yes -d 'do not ask'
complete -c firsttime -n '__firsttime_is import' -l dry-run -d 'change nothing'
complete -c firsttime -n '__firsttime_is import' -l defaults-key -x -d 'where preferences hold the archive'
complete -c firsttime -n '__firsttime_is import' -l interval -x -d 'take interval.NAME, too'
complete -c firsttime -n '__firsttime_is export' -l format -x -a 'archive xml defaults json' -d 'what to write'
complete -c firsttime -n '__firsttime_is dump' -l raw -d 'objects as they stand'

complete -c firsttime -n '__firsttime_is 0 once per-version show due mark reset' -a '(__firsttime_keys)'
complete -c firsttime -n '__firsttime_is 1 every' -a '(__firsttime_keys)'
complete -c firsttime -n '__firsttime_is 0 every' -a 'hourly daily weekly monthly quarterly yearly'
complete -c firsttime -n '__firsttime_is 1 due' -a 'once per-version hourly daily weekly monthly quarterly yearly'
complete -c firsttime -n '__firsttime_is 0 rule' -a check
complete -c firsttime -n '__firsttime_is 0 import export verify repair dump' -F
complete -c firsttime -n '__firsttime_is 0 help' -a 'once per-version every list show due events path mark reset donate rule import export verify repair dump help'
