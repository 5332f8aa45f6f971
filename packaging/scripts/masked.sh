# Whether an administrator has masked a unit: it must not run then, and systemctl fails on it.
masked() {
    case "$(systemctl is-enabled "$1" 2>/dev/null)" in
    masked*) return 0 ;;
    *) return 1 ;;
    esac
}
