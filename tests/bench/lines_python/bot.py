"""Answers a line with a line: the first legal card."""

import json
import sys

for line in sys.stdin:
    decision = json.loads(line).get("decision")
    if decision:
        card = decision["card"]["legal"][0]
        answer = {"decision_id": decision["decision_id"], "card": card}
        print(json.dumps({"answer": answer}), flush=True)
