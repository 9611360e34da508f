#!/usr/bin/env bash
# What action.yml runs: asks, or waits for what was asked before, and writes id, outcome and answer where GitHub reads them.
set -euo pipefail

id=$ASK
if [ -z "$id" ]; then
  args=(--name "${GITHUB_WORKFLOW:-CI}" --no-wait)
  while IFS= read -r option; do
    if [ -n "${option//[[:space:]]/}" ]; then args+=(-o "$option"); fi
  done <<<"$OPTIONS"
  if [ -n "$CONTEXT" ]; then args+=(--context "$CONTEXT"); fi
  id=$(parley ask "${args[@]}" -- "$QUESTION")
fi
echo "id=$id" >>"$GITHUB_OUTPUT"

code=0
answer=$(parley wait "$id" --timeout "$TIMEOUT") || code=$?
case $code in
  0) outcome=answered ;;
  10) outcome=declined ;;
  11) outcome=expired ;;
  12) outcome=cancelled ;;
  13) outcome=chat ;;
  14) outcome=open ;;
  *) exit "$code" ;;
esac
echo "outcome=$outcome" >>"$GITHUB_OUTPUT"
# Words of a person may hold anything: a mark that nobody can guess ends them.
mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
if [ "$outcome" = answered ]; then printf 'answer<<%s\n%s\n%s\n' "$mark" "$answer" "$mark" >>"$GITHUB_OUTPUT"; fi
echo "$outcome${answer:+: $answer}"
