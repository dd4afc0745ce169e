# Sourced by the shell scripts: `-h` or `--help` as the first argument prints the comment at the top of the script, and ends it.
case ${1-} in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
