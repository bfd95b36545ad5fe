# bash completion for firsttime(1). Keys come from `firsttime list --keys` of the store that the line names.
_firsttime() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local commands='once per-version every list show due events path mark reset donate rule import export verify repair dump help'
    local specs='hourly daily weekly monthly quarterly yearly'
    local run='--after --at-most-once --baseline --no-wait --wait --skip-status --app-version'
    local command= operands=0 store=() index word
    COMPREPLY=()

    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        case $word in
        --)
            # What follows is completed as a command line of its own.
            if declare -F _command_offset >/dev/null; then _command_offset $((index + 1)); else
                compopt -o default
                if ((COMP_CWORD == index + 1)); then mapfile -t COMPREPLY < <(compgen -c -- "$current"); fi
            fi
            return
            ;;
        --store | --app)
            store+=("$word" "${COMP_WORDS[index + 1]}")
            index=$((index + 1))
            ;;
        --after | --wait | --skip-status | --app-version | --prefix | --policy | --defaults-key | --interval | --format)
            index=$((index + 1))
            ;;
        -*) ;;
        *) if [ -z "$command" ]; then command=$word; else operands=$((operands + 1)); fi ;;
        esac
    done

    words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
    keys() {
        local IFS=$'\n'
        mapfile -t COMPREPLY < <(compgen -W "$(firsttime list --keys "${store[@]}" 2>/dev/null)" -- "$current")
    }
    case $previous in
    --store) compopt -o default; return ;;
    --policy) words "once per-version $specs"; return ;;
    --format) words 'archive xml defaults json'; return ;;
    --app | --after | --wait | --skip-status | --app-version | --prefix | --defaults-key | --interval) return ;;
    esac

    local common='--store --app --help'
    if [ -z "$command" ]; then
        if [[ $current == -* ]]; then words "$common --version"; else words "$commands"; fi
        return
    fi
    if [[ $current == -* ]]; then
        case $command in
        once | per-version | every) words "$run $common --" ;;
        list) words "--prefix --policy --keys --json --app-version $common" ;;
        show) words "--policy --json --app-version $common" ;;
        events) words "--prefix --json $common" ;;
        due | mark | donate) words "--app-version $common" ;;
        reset) words "--prefix --all --yes $common" ;;
        import) words "--dry-run --defaults-key --interval $common" ;;
        export) words "--format $common" ;;
        dump) words "--json --raw $common" ;;
        *) words "$common" ;;
        esac
        return
    fi
    case $command:$operands in
    every:0) words "$specs" ;;
    due:1) words "once per-version $specs" ;;
    once:0 | per-version:0 | every:1 | show:0 | due:0 | mark:0 | reset:0) keys ;;
    rule:0) words check ;;
    import:0 | export:0 | verify:0 | repair:0 | dump:0) compopt -o default ;;
    help:0) words "$commands" ;;
    esac
}
complete -F _firsttime firsttime
