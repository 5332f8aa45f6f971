# $1: removes it, unless it is a folder that is not empty. The agent's user may have put anything in the schedule's place: a link is
# removed and not followed, and files in a user's folder belong to that user.
forget() {
    if [ -d "$1" ] && [ ! -L "$1" ]; then
        rmdir "$1" 2>/dev/null || echo "@package@ leaves $1, which holds what it did not make; delete it by hand" >&2
    else
        rm -f "$1" || echo "@package@ could not delete $1; delete it by hand" >&2
    fi
}

# Whether something is mounted in the schedule's place. Asks only the kernel: if the agent's user serves it, a look waits for that user.
mounted() {
    grep -Eqs '^([^ ]+ ){4}/etc/svc-upgrade\.d(/schedule)? ' /proc/self/mountinfo
}

# Removes the schedule, and its directory if it is empty then.
forget_schedule() {
    if mounted; then
        echo "@package@ leaves /etc/svc-upgrade.d, where somebody has mounted a file system; take that away, then delete it by hand" >&2
    else
        forget /etc/svc-upgrade.d/schedule
        if [ -d /etc/svc-upgrade.d ]; then rmdir /etc/svc-upgrade.d 2>/dev/null || true; fi
    fi
}
