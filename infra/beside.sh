# To be read by others: two things at once.

# "$1" beside "$2": each leaves a core idle for a part of its time. What the first says is shown when both are through;
# who fails is named last.
beside() {
  local said first=0 second=0
  said=$(mktemp)
  "$1" >"$said" 2>&1 &
  local other=$!
  "$2" 2>&1 | tee "$said.second" || second=$?
  wait "$other" || first=$?
  cat "$said"
  # Where only the end of all this is kept, it says why.
  [ "$second" = 0 ] || tail -n 60 "$said.second"
  rm -f "$said" "$said.second"
  [ "$first" = 0 ] || echo "failed: $1" >&2
  [ "$second" = 0 ] || echo "failed: $2" >&2
  return "$((first + second > 0))"
}
