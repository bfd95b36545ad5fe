# bash completion for firsttime(1). Keys come from `firsttime list --keys` of the store that the line names. They are
# what anybody wrote into that store: nothing here may expand or evaluate them, nor what is typed.

# What `$1` says without its quotes and backslashes, in `plain`. Nothing in it is expanded but a ~/ at its beginning.
_firsttime_plain() {
    local text=$1 quote='' character
    plain=
    # shellcheck disable=SC2088
    if [[ $text == '~/'* ]]; then plain=${HOME-} text=${text:1}; fi
    while [ -n "$text" ]; do
        character=${text:0:1} text=${text:1}
        if [ "$character" = "'" ] && [ "$quote" != '"' ]; then
            if [ -n "$quote" ]; then quote=; else quote=$character; fi
        elif [ "$character" = '"' ] && [ "$quote" != "'" ]; then
            if [ -n "$quote" ]; then quote=; else quote=$character; fi
        elif [ "$character" = "\\" ] && [ "$quote" != "'" ]; then
            # Between double quotes a backslash is one before most characters.
            if [ "$quote" = '"' ] && [[ ${text:0:1} != [\"\\\$\`] ]]; then plain+=$character; fi
            plain+=${text:0:1} text=${text:1}
        else
            plain+=$character
        fi
    done
}

# The line's words in `words`, where each begins in COMP_WORDS in `starts`: bash breaks them at : and = and @, too.
_firsttime_split() {
    local line=$COMP_LINE index
    words=() starts=()
    for ((index = 0; index <= COMP_CWORD; index++)); do
        if ((index == 0)) || [[ $line == [[:space:]]* ]] || [ -z "$line" ]; then
            words+=("") starts+=("$index")
            line=${line#"${line%%[![:space:]]*}"}
        fi
        words[${#words[@]} - 1]+=${COMP_WORDS[index]}
        line=${line#"${COMP_WORDS[index]}"}
    done
}

_firsttime_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

# The keys that begin with what is typed, each quoted as the typed word is.
_firsttime_keys() {
    local plain typed key begun=
    local quote=${current:0:1}
    [[ $quote == [\"\'] ]] || quote=
    # bash puts only what follows a : or = or @ that isn't quoted.
    if [ -z "$quote" ] && [[ $current =~ ^(.*[^\\])?[:=@] ]]; then begun=${BASH_REMATCH[0]}; fi
    _firsttime_plain "$begun"
    begun=$plain
    _firsttime_plain "$current"
    typed=$plain
    while IFS= read -r key; do
        [ "${key:0:${#typed}}" = "$typed" ] || continue
        key=${key:${#begun}}
        case $quote in
        "'") [[ $key != *"'"* ]] || continue ;;
        '"')
            # No backslash keeps a ! from the history there, and after a \" at the end readline closes no quote.
            [[ $key != *[\"!]* ]] || continue
            key=${key//\\/\\\\} key=${key//\$/\\\$} key=${key//\`/\\\`}
            ;;
        *) if [ -n "$key" ]; then printf -v key %q "$key"; fi ;;
        esac
        COMPREPLY+=("$key")
    done < <(firsttime list --keys ${store[@]+"${store[@]}"} 2>/dev/null)
}

_firsttime() {
    local commands='once per-version every list show due events path mark reset donate rule import export verify repair dump help'
    local specs='hourly daily weekly monthly quarterly yearly'
    local run='--after --at-most-once --baseline --no-wait --wait --skip-status --app-version'
    local command='' operands=0 index word plain current previous
    local words=() starts=() store=()
    COMPREPLY=()
    _firsttime_split
    local last=$((${#words[@]} - 1))
    current=${words[last]} previous=
    if ((last > 0)); then previous=${words[last - 1]}; fi

    for ((index = 1; index < last; index++)); do
        word=${words[index]}
        case $word in
        --)
            # What follows is completed as a command line of its own.
            if declare -F _command_offset >/dev/null; then _command_offset "${starts[index + 1]}"; else
                compopt -o default
                if ((last == index + 1)); then mapfile -t COMPREPLY < <(compgen -c -- "$current"); fi
            fi
            return
            ;;
        --store | --app)
            index=$((index + 1))
            if ((index < last)); then
                _firsttime_plain "${words[index]}"
                store+=("$word" "$plain")
            fi
            ;;
        --store=* | --app=*)
            _firsttime_plain "${word#*=}"
            store+=("${word%%=*}" "$plain")
            ;;
        --after | --wait | --skip-status | --app-version | --prefix | --policy | --defaults-key | --interval | --format)
            index=$((index + 1))
            ;;
        -*) ;;
        *) if [ -z "$command" ]; then command=$word; else operands=$((operands + 1)); fi ;;
        esac
    done

    case $previous in
    --store) compopt -o default; return ;;
    --policy) _firsttime_words "once per-version $specs"; return ;;
    --format) _firsttime_words 'archive xml defaults json'; return ;;
    --app | --after | --wait | --skip-status | --app-version | --prefix | --defaults-key | --interval) return ;;
    esac

    local common='--store --app --help'
    if [ -z "$command" ]; then
        if [[ $current == -* ]]; then
            _firsttime_words "$common --version"
        else
            _firsttime_words "$commands"
        fi
        return
    fi
    if [[ $current == -* ]]; then
        case $command in
        once | per-version | every) _firsttime_words "$run $common --" ;;
        list) _firsttime_words "--prefix --policy --keys --json --app-version $common" ;;
        show) _firsttime_words "--policy --json --app-version $common" ;;
        events) _firsttime_words "--prefix --json $common" ;;
        due | mark | donate) _firsttime_words "--app-version $common" ;;
        reset) _firsttime_words "--prefix --all --yes $common" ;;
        import) _firsttime_words "--dry-run --defaults-key --interval $common" ;;
        export) _firsttime_words "--format $common" ;;
        dump) _firsttime_words "--json --raw $common" ;;
        *) _firsttime_words "$common" ;;
        esac
        return
    fi
    case $command:$operands in
    every:0) _firsttime_words "$specs" ;;
    due:1) _firsttime_words "once per-version $specs" ;;
    once:0 | per-version:0 | every:1 | show:0 | due:0 | mark:0 | reset:0) _firsttime_keys ;;
    rule:0) _firsttime_words check ;;
    import:0 | export:0 | verify:0 | repair:0 | dump:0) compopt -o default ;;
    help:0) _firsttime_words "$commands" ;;
    esac
}
complete -F _firsttime firsttime
