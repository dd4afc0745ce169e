# Completion of oscar-sim for bash. Commands and options are those that `--help` prints; names of configurations are
# those in configs/ of the current folder and of the shipped files.

# The words in the first column of a section of `oscar-sim COMMAND... --help`.
_oscar_sim_help() {
  local section=$1
  shift
  "$@" --help 2>/dev/null | sed -n "/^$section:/,/^\$/s/^  \([-a-z][-a-z,]*\).*/\1/p" | tr ',' '\n'
}

# The names of the configurations that a command takes.
_oscar_sim_names() {
  local folder=experiments root program
  case $1 in sweep) folder=sweeps ;; traffic) folder=traffic ;; predict) folder=validation ;; esac
  program=$(readlink -f "$(command -v "$2")")
  for root in . "${OSCAR_SIM_DATA:-${program%/*}/../share/oscar-sim}"; do
    compgen -G "$root/configs/$folder/*.yaml" | sed 's|.*/||; s|\.yaml$||'
  done
}

_oscar_sim() {
  local current=${COMP_WORDS[COMP_CWORD]} word path=("${COMP_WORDS[0]}")
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do   # the commands named so far
    [[ " $(_oscar_sim_help Subcommands "${path[@]}" | tr '\n' ' ') " == *" $word "* ]] && path+=("$word")
  done
  local known
  if [[ $current == -* ]]; then
    known=$(_oscar_sim_help Options "${path[@]}")
  else
    known=$(_oscar_sim_help Subcommands "${path[@]}")
    case ${path[1]-} in
      run | sweep | traffic | predict | live) known+=" $(_oscar_sim_names "${path[1]}" "${path[0]}")" ;;
      describe) known+=" $("${path[0]}" describe 2>/dev/null | sed -n 's/^  \([a-z_]*\) .*/\1/p')" ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$known" -- "$current")
}
complete -o default -F _oscar_sim oscar-sim
