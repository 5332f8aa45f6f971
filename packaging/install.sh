#!/bin/sh
# Installs the agent in one version, and the updater that keeps it there: see usage below.
# Everything is a function, and the last line calls them: an incomplete download runs nothing.
set -eu

usage() {
    cat <<'TEXT'
usage: install.sh VERSION EDITION [option...]

Installs the package svc-ent in exactly that version, and svc-ent-updater.

  VERSION            what the cluster's version channel serves, without its leading v: 15.4.6
  EDITION            cloud or enterprise

  --repository URL   where the packages are (or SVC_REPOSITORY); for apt "URL SUITE COMPONENT...", with stable main
                     unless said; {edition} and {major} in it become the edition and VERSION's first number.
                     Without it, the repositories that this host has must offer the packages.
  --key FILE|URL     the OpenPGP key that signs them (or SVC_REPOSITORY_KEY); a URL must be https
  --manager NAME     apt, yum or zypper, where a host has more than one
  --endpoint URL     ends with `svc-upgrade enroll --endpoint URL`; so do the next two
  --channel NAME     the version channel; for cloud stable/cloud unless said
  --agent-user NAME  the user that runs the agent, where that is not root

A proxy is taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case.

exit status: 0 done, or nothing to do; 64 wrong arguments; 69 the packages cannot be had; 77 not root; 78 this host is not
supported; else the one of svc-upgrade enroll
TEXT
}

agent=svc-ent
updater=svc-ent-updater

main() {
    export LC_ALL=C
    umask 022
    read_arguments "$@"
    check_host
    share_proxies
    work=$(mktemp -d)
    trap 'end $?' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    if [ -n "$repository" ]; then fetch_key; fi
    before=$(installed "$agent")
    recorded >"$work/recorded"
    case $manager in
    apt) install_with_apt ;;
    yum) install_with_yum ;;
    zypper) install_with_zypper ;;
    esac
    check_installed
    enroll
}

say() {
    printf 'install.sh: %s\n' "$*"
}

stop() { # STATUS SENTENCE
    status=$1
    shift
    printf 'install.sh: %s\n' "$*" >&2
    exit "$status"
}

read_arguments() {
    version='' edition='' manager='' endpoint='' channel='' agent_user=''
    repository=${SVC_REPOSITORY:-}
    key=${SVC_REPOSITORY_KEY:-}
    while [ $# -gt 0 ]; do
        case $1 in
        --help)
            usage
            exit 0
            ;;
        --*=*)
            option=${1%%=*} value=${1#*=}
            shift
            set -- "$option" "$value" "$@"
            continue
            ;;
        --repository | --key | --manager | --endpoint | --channel | --agent-user)
            if [ -z "${2:-}" ]; then stop 64 "$1 needs a value: see install.sh --help"; fi
            take_option "$1" "$2"
            shift
            ;;
        -*) stop 64 "there is no option $1: see install.sh --help" ;;
        *) take_word "$1" ;;
        esac
        shift
    done
    check_version
    case $edition in
    cloud | enterprise) ;;
    '') stop 64 "the edition is missing: install.sh $version cloud, or install.sh $version enterprise" ;;
    *) stop 64 "the edition is \"$edition\", and must be cloud or enterprise" ;;
    esac
    check_repository
    if [ "$edition" = cloud ]; then channel=${channel:-stable/cloud}; fi
}

take_option() {
    case $1 in
    --repository) repository=$2 ;;
    --key) key=$2 ;;
    --endpoint) endpoint=$2 ;;
    --channel) channel=$2 ;;
    --agent-user) agent_user=$2 ;;
    --manager)
        case $2 in
        apt | yum | zypper) manager=$2 ;;
        *) stop 64 "the manager is \"$2\", and must be apt, yum or zypper" ;;
        esac
        ;;
    esac
}

take_word() {
    if [ -z "$version" ]; then
        version=$1
    elif [ -z "$edition" ]; then
        edition=$1
    else
        stop 64 "\"$1\" is one word too many: see install.sh --help"
    fi
}

check_version() {
    case $version in
    '') stop 64 "the version is missing: install.sh VERSION EDITION, for example install.sh 15.4.6 enterprise" ;;
    v[0-9]*) stop 64 "the version is \"$version\": give it without the leading v, ${version#v}" ;;
    *[!0-9A-Za-z.+-]*) no_version ;;
    esac
    number='(0|[1-9][0-9]*)'
    words='[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*'
    echo "$version" | grep -Eq "^$number\.$number\.$number(-$words)?(\+$words)?\$" || no_version
}

no_version() {
    stop 64 "the version is \"$version\", and must be like 15.4.6 or 15.4.6-rc.1: what the cluster's version channel serves"
}

check_repository() {
    repository=$(printf '%s' "$repository" | sed "s/{edition}/$edition/g; s/{major}/${version%%.*}/g")
    case $repository in
    '')
        if [ -n "$key" ]; then stop 64 "--key is for a repository: give --repository URL too"; fi
        return
        ;;
    *//*@*) stop 64 "the repository has a user in its URL: give the package manager the credentials in a file of its own" ;;
    *[!A-Za-z0-9\ :/._~%+=,\&?\[\]-]*) stop 64 "the repository has a character that is not a URL's: write it as %XX" ;;
    http://* | https://* | file:/*) ;;
    *) stop 64 "the repository must begin with https://, http:// or file:/" ;;
    esac
    case $key in
    '') stop 64 "--repository needs --key FILE or --key URL: nothing unsigned is ever installed" ;;
    https://*) ;;
    *://*) stop 64 "the key must come from a file or by https" ;;
    *) if [ ! -f "$key" ]; then stop 64 "there is no key file $key"; fi ;;
    esac
}

check_host() {
    if [ "$(uname -s)" != Linux ]; then stop 78 "this is $(uname -s), and the agent is updated on Linux alone"; fi
    case $(uname -m) in
    x86_64 | aarch64) ;;
    *) stop 78 "this host is $(uname -m), and there are packages for x86_64 and aarch64 alone" ;;
    esac
    if [ "$(id -u)" -ne 0 ]; then stop 77 "installing packages needs root: sudo sh install.sh ..."; fi
    systemd=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p') || true
    if [ "${systemd:-0}" -lt 247 ]; then stop 78 "the updater needs systemd 247 or newer, and this host has ${systemd:-none}"; fi
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc \([0-9]*\.[0-9]*\).*/\1/p') || true
    case ${glibc:-0.0} in
    [01].* | 2.? | 2.1? | 2.2[0-7]) stop 78 "the updater needs glibc 2.28 or newer, and this host has ${glibc:-none}" ;;
    esac
    if [ -z "$manager" ]; then find_manager; fi
    if ! has_manager "$manager"; then stop 78 "this host has no $manager"; fi
    case $manager:$repository in
    apt:https://*)
        if [ ! -e /etc/ssl/certs/ca-certificates.crt ]; then
            stop 69 "a repository by https needs certificates to trust: apt-get install ca-certificates"
        fi
        ;;
    yum:*' '* | zypper:*' '*) stop 64 "the repository has a blank, and a suite and components are apt's alone" ;;
    esac
}

has_manager() {
    case $1 in
    apt) has apt-get && has dpkg-query ;;
    yum) { has dnf || has yum; } && has rpm ;;
    zypper) has zypper && has rpm ;;
    esac
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# Among several, takes the one whose database holds the host's systemd: a Debian host may have rpm, a Fedora host apt.
find_manager() {
    all=''
    for one in apt yum zypper; do
        if has_manager "$one"; then all="$all $one"; fi
    done
    case $all in
    ' apt '*) if dpkg-query -W systemd >/dev/null 2>&1; then all=' apt'; else all=${all# apt}; fi ;;
    esac
    manager=${all# }
    case $manager in
    '') stop 78 "this host has none of apt, yum and zypper" ;;
    *' '*) stop 78 "this host has more than one package manager ($manager): name the one that manages it, --manager NAME" ;;
    esac
}

# Each program reads only one of the two spellings, and apt ignores a proxy without a scheme.
share_proxies() {
    for lower in http_proxy https_proxy no_proxy; do
        upper=$(echo "$lower" | tr '[:lower:]' '[:upper:]')
        eval "value=\${$upper:-\${$lower:-}}"
        case $lower=$value in
        *_proxy=) continue ;;
        no_proxy=* | *://*) ;;
        *) value=http://$value ;;
        esac
        eval "$lower=\$value $upper=\$value"
        export "${lower?}" "${upper?}"
    done
}

# Into $work/key, and its kind into $kind: gpg and rpm name armored keys .asc.
fetch_key() {
    case $key in
    https://*)
        say "fetching the key $key"
        fetch "$key" "$work/key" </dev/null || stop 69 "the key could not be fetched from $key"
        ;;
    *) cp "$key" "$work/key" ;;
    esac
    if grep -q '^-----BEGIN PGP PUBLIC KEY BLOCK-----' "$work/key"; then
        kind=asc
    else
        case $(od -An -tx1 -N1 "$work/key") in
        ' 98' | ' 99' | ' c6') kind=gpg ;;
        *) stop 69 "$key is no OpenPGP public key" ;;
        esac
        if [ "$manager" != apt ]; then stop 69 "rpm reads only armored keys, and $key is not armored: gpg --export --armor makes one"; fi
    fi
}

# Never over plain http, even after a redirect: no option of wget prevents that.
fetch() { # URL FILE
    if has curl; then
        curl --fail --silent --show-error --location --proto '=https' --connect-timeout 30 --max-time 120 --output "$2" -- "$1"
    elif [ -x /usr/lib/apt/apt-helper ]; then
        /usr/lib/apt/apt-helper -qq download-file "$1" "$2"
    else
        stop 69 "this host has no curl to fetch the key with: install that, or give the key as a file"
    fi
}

# Prints the version of a package; nothing if it is not installed.
installed() {
    if [ "$manager" = apt ]; then
        dpkg-query -W -f '${db:Status-Abbrev} ${Version}\n' "$1" 2>/dev/null | sed -n 's/^.i *//p'
    elif rpm -q --quiet "$1"; then
        rpm -q --qf '%{EVR}\n' "$1" | tail -n 1
    fi
}

# Whether a package version is VERSION as a package manager writes it: an epoch, a revision, ~ or _ before a prerelease.
wraps() {
    bare=${1#*:}
    bare=${bare##*+really}
    tilde=$(echo "$version" | sed 's/-/~/')
    underscore=$(echo "$version" | sed 's/-/_/')
    for form in "$version" "$tilde" "$underscore"; do
        revision=${bare#"$form"-}
        case $bare in
        "$form") return 0 ;;
        "$form"-*-*) ;;
        # A revision that names a prerelease is one: 15.4.6-0.rc.1 is not 15.4.6.
        "$form"-[0-9]* | "$form"-lp[0-9]*) if ! names_prerelease "$revision"; then return 0; fi ;;
        esac
    done
    return 1
}

names_prerelease() {
    echo "$1" | grep -Eiq '(^|[^a-z])(alpha|beta|dev|nightly|pre|preview|rc|snapshot)([^a-z]|$)'
}

# Sets $lacks_agent and $lacks_updater to the names of the missing packages.
find_lacking() {
    lacks_agent='' lacks_updater=''
    now=$(installed "$agent")
    if [ -n "$now" ] && wraps "$now"; then
        say "$agent $now is installed already"
    else
        lacks_agent=$agent
    fi
    now=$(installed "$updater")
    if [ -n "$now" ]; then
        say "$updater $now is installed already"
    else
        lacks_updater=$updater
    fi
    [ -n "$lacks_agent$lacks_updater" ]
}

# PATH: writes standard input to that file, unless it holds that already.
put() {
    cat >"$work/file"
    if [ "$(sha256sum <"$work/file")" != "$(sha256sum 2>/dev/null <"$1")" ]; then
        remember "$1"
        mkdir -p "$(dirname "$1")"
        cp "$work/file" "$1"
        chmod 644 "$1"
        say "wrote $1"
    fi
}

# PATH: saves its present state for take_back. In files, because half of a pipe keeps no variables.
remember() {
    folder=$(dirname "$1")
    while [ ! -d "$folder" ]; do
        echo "$folder" >>"$work/folders"
        folder=$(dirname "$folder")
    done
    echo "$1" >>"$work/written"
    if [ -e "$1" ]; then
        mkdir -p "$work/was$(dirname "$1")"
        cp -p "$1" "$work/was$1"
    fi
}

# STATUS: removes a source that nothing was installed from, since it would only hinder the host's own updates.
end() {
    if [ "$1" -ne 0 ] && [ -e "$work/recorded" ] && [ "$(recorded)" = "$(cat "$work/recorded")" ]; then take_back; fi
    rm -rf "$work"
}

# Removes this script's files, and restores those that were there before.
take_back() {
    if [ -e "$work/trusted" ] && [ -n "$(imported)" ]; then
        # shellcheck disable=SC2046 # names of packages
        rpm --erase $(imported) && say "rpm no longer trusts the key"
    fi
    if [ -e "$work/written" ]; then
        while read -r path; do
            if [ -e "$work/was$path" ]; then
                cp -p "$work/was$path" "$path" && say "put $path back as it was"
            else
                rm -f "$path" && say "removed $path again"
            fi
        done <"$work/written"
    fi
    if [ -e "$work/folders" ]; then
        while read -r folder; do rmdir "$folder" || true; done <"$work/folders"
    fi
}

# The package database's entries of both packages, even if one is half installed.
recorded() {
    if [ "$manager" = apt ]; then
        dpkg-query -W -f '${Package} ${Status} ${Version}\n' "$agent" "$updater" 2>/dev/null || true
    else
        rpm -q "$agent" "$updater" || true
    fi
}

# SIGN: sets $wanted to the packages to install, the agent with that sign before the first of $work/offers that wraps VERSION.
choose() {
    wanted=$lacks_updater
    if [ -n "$lacks_agent" ]; then
        offer=$(first_offer)
        if [ -z "$offer" ]; then
            stop 69 "no repository of this host offers $agent $version: ${repository:-give the one that does with --repository and --key}"
        fi
        if [ -n "$before" ] && is_older "$offer" "$before"; then
            stop 69 "$agent $before is installed, which is newer than $version: svc-upgrade goes back where the cluster does, this script never"
        fi
        wanted="$agent$1$offer $wanted"
    fi
    say "installing ${wanted% } with $manager"
}

first_offer() {
    while read -r one; do
        if [ -n "$one" ] && wraps "$one"; then
            echo "$one"
            return
        fi
    done <"$work/offers"
}

is_older() {
    [ "$(printf '%s\n' "${1#*:}" "${2#*:}" | sort -V | tail -n 1)" = "${2#*:}" ]
}

install_with_apt() {
    export DEBIAN_FRONTEND=noninteractive
    if [ -n "$repository" ]; then
        keyring=/etc/apt/keyrings/svc.$kind
        put "$keyring" <"$work/key"
        case $repository in
        *' '*) ;;
        *) repository="$repository stable main" ;;
        esac
        echo "deb [signed-by=$keyring] $repository" | put /etc/apt/sources.list.d/svc.list
    fi
    if ! find_lacking; then return; fi
    say "refreshing the package lists"
    if [ -n "$repository" ]; then
        # Only this list has to be complete: dead repositories must not hinder.
        apt-get -qq -o Dir::Etc::sourcelist=/etc/apt/sources.list.d/svc.list -o Dir::Etc::sourceparts=- \
            -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any update </dev/null || no_use
    fi
    apt-get -qq update </dev/null || say "not all package lists could be refreshed"
    apt-cache policy "$agent" </dev/null >"$work/policy"
    # apt's own choice first, then by priority, then the higher version, which apt lists first.
    sed -n 's/^  Candidate: //p' "$work/policy" >"$work/offers"
    row='\([^ ][^ ]*\) \([0-9][0-9]*\)'
    sed -n "s/^ \*\*\* $row.*/\2 \1/p; s/^     $row.*/\2 \1/p" "$work/policy" | sort -s -k1,1nr | sed 's/^[0-9]* //' >>"$work/offers"
    choose '='
    # shellcheck disable=SC2086 # names of packages
    apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=60 -o Dpkg::Options::=--force-confdef \
        -o Dpkg::Options::=--force-confold --no-remove install $wanted </dev/null || no_luck
}

install_with_yum() {
    yum=yum
    if has dnf; then yum=dnf; fi
    if [ -n "$repository" ]; then put_rpm_repository /etc/yum.repos.d/svc.repo ''; fi
    if ! find_lacking; then return; fi
    say "refreshing the package lists"
    if [ -n "$repository" ]; then
        # With -y yum accepts the file's key for the repository's index: it is the one given here.
        $yum -q -y --disablerepo='*' --enablerepo=svc --refresh makecache </dev/null || no_use
    fi
    # From here on only keys of rpm count.
    set -- --setopt='*.skip_if_unavailable=True' --setopt='*.gpgkey='
    $yum -q --refresh "$@" repoquery --available --showduplicates --qf '%{evr}\n' "$agent" </dev/null | sort -Vr >"$work/offers"
    choose '-'
    # shellcheck disable=SC2086 # names of packages
    $yum -y "$@" install $wanted </dev/null || no_luck
}

install_with_zypper() {
    # Without the second line zypper does not check the packages of a signed index.
    if [ -n "$repository" ]; then
        put_rpm_repository /etc/zypp/repos.d/svc.repo 'autorefresh=1
pkg_gpgcheck=1'
    fi
    if ! find_lacking; then return; fi
    say "refreshing the package lists"
    if [ -n "$repository" ]; then
        zypper --non-interactive refresh --force svc </dev/null || no_use
    fi
    zypper --non-interactive refresh </dev/null || say "not all package lists could be refreshed"
    zypper --non-interactive search --details --match-exact --type package "$agent" </dev/null |
        sed -n "s/^[^|]*| *$agent *|[^|]*| *\([^ |]*\) *|.*/\1/p" | sort -Vr >"$work/offers"
    choose '='
    status=0
    # shellcheck disable=SC2086 # names of packages
    zypper --non-interactive install $wanted </dev/null || status=$?
    case $status in
    # Success with advice to reboot or rerun zypper, or without a dead repository: the database tells.
    0 | 102 | 103 | 106) ;;
    *) no_luck ;;
    esac
}

# FILE LINES
put_rpm_repository() {
    keyring=/etc/pki/rpm-gpg/RPM-GPG-KEY-svc
    put "$keyring" <"$work/key"
    rpm -q gpg-pubkey >"$work/trusted" || true
    rpm --import "$keyring"
    if [ -n "$(imported)" ]; then say "rpm trusts the key $keyring now"; fi
    put "$1" <<TEXT
[svc]
name=svc
baseurl=$repository
enabled=1
gpgcheck=1
repo_gpgcheck=1
gpgkey=file://$keyring
$2
TEXT
}

# The keys that rpm got since put_rpm_repository looked.
imported() {
    rpm -q gpg-pubkey | grep -vxFf "$work/trusted" || true
}

no_use() {
    stop 69 "the repository $repository cannot be used: see what $manager says above"
}

no_luck() {
    stop 69 "$manager could not install ${wanted% }: see what it says above"
}

# Asks the package database: these programs' exit status proves nothing.
check_installed() {
    now=$(installed "$agent")
    if [ -z "$now" ] || ! wraps "$now"; then stop 69 "$agent is at ${now:-no version} and not at $version: see what $manager says above"; fi
    now=$(installed "$updater")
    if [ -z "$now" ]; then stop 69 "$updater is not installed: see what $manager says above"; fi
    if [ -n "$before" ] && ! wraps "$before"; then
        say "an agent that was running may run $before until it is restarted: systemctl restart svc.service"
    fi
    if has svc; then say "svc version says: $(svc version </dev/null | head -n 1)"; fi
}

enroll() {
    if [ -n "${https_proxy:-}${http_proxy:-}" ] && ! grep -Eiq '^https?_proxy=' /etc/default/svc 2>/dev/null; then
        say "the agent and the updater take their proxy from /etc/default/svc, which names none"
    fi
    set --
    if [ -n "$endpoint" ]; then set -- "$@" --endpoint "$endpoint"; fi
    if [ -n "$channel" ]; then set -- "$@" --channel "$channel"; fi
    if [ -n "$agent_user" ]; then set -- "$@" --agent-user "$agent_user"; fi
    if [ -z "$endpoint$agent_user" ] && [ "$channel" = stable/cloud ]; then
        name_channel
        say "done; to let the cluster keep it up to date: svc-upgrade enroll --endpoint URL"
        return
    fi
    if [ $# -eq 0 ]; then
        say "done; to let the cluster keep it up to date: svc-upgrade enroll --endpoint URL"
        return
    fi
    say "svc-upgrade enroll $*"
    svc-upgrade enroll "$@" </dev/null
}

# The cloud edition has a channel of its own, which any other setting beats.
name_channel() {
    if grep -Eqs '^[[:space:]]*"?channel"?[[:space:]]*:' /etc/svc-upgrade/*.yaml; then return; fi
    printf '# Written by install.sh for the edition cloud.\nchannel: %s\n' "$channel" >/etc/svc-upgrade/00-edition.yaml
    say "the channel is $channel: /etc/svc-upgrade/00-edition.yaml"
}

main "$@"
