#!/usr/bin/env bash
# Last: the last of its legal cards, in a conversation over stdin and stdout.
question='"decision_id":([0-9]+),"card":\{"legal":\[[^]]*"([^"]+)"\]'

while IFS= read -r line; do
  if [[ $line =~ $question ]]; then # all else is news
    echo "{\"answer\":{\"decision_id\":${BASH_REMATCH[1]},\"card\":\"${BASH_REMATCH[2]}\"}}"
  fi
done
