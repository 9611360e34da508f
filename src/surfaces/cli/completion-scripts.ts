/**
 * What a shell loads. Each asks `parley complete` on every Tab, so that it knows what this version can do.
 * Descriptions are read as text only, never by eval: agents write some of them.
 */
export const SCRIPTS: Record<string, string> = {
  // Bash shows only what it would insert. Where it lists and inserts nothing (33, 63, 64), descriptions stand beside it.
  bash: `_parley() {
  local value text i width=0
  local -a values=() texts=()
  COMPREPLY=()
  while IFS=$'\\t' read -r value text; do
    if [ "$value" = :files ]; then compopt -o default 2>/dev/null; return; fi
    values+=("$value") texts+=("$text")
    [ \${#value} -gt $width ] && width=\${#value}
  done < <(parley complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  for ((i = 0; i < \${#values[@]}; i++)); do
    value=\${values[i]} text=\${texts[i]}
    case "\${COMP_TYPE:-9}" in
      33|63|64)
        if [ \${#values[@]} -gt 1 ] && [ -n "$text" ]; then
          printf -v value '%-*s  %s' "$width" "$value" "$text"
          value=\${value:0:\${COLUMNS:-80}-1}
        fi ;;
    esac
    COMPREPLY+=("$value")
  done
}
complete -F _parley parley
`,
  zsh: `_parley() {
  local value text
  local -a offers
  while IFS=$'\\t' read -r value text; do
    if [[ "$value" == :files ]]; then _files; return; fi
    offers+=("\${value//:/\\\\:}:$text")
  done < <(parley complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V parley offers
}
compdef _parley parley
`,
  fish: `function __parley_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l typed (commandline -ct)
  set -l offers (parley complete -- $words "$typed" 2>/dev/null)
  if test "$offers" = :files
    __fish_complete_path "$typed"
  else if test (count $offers) -gt 0
    printf '%s\\n' $offers
  end
end
complete -c parley -f -k -a "(__parley_complete)"
`,
};
