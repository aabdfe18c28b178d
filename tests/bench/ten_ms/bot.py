"""Thinks 10 ms over each card, then plays its lowest legal one."""

import json
import sys
import time

for line in sys.stdin:
    decision = json.loads(line).get("decision")
    if decision:
        time.sleep(0.010)
        answer = {"decision_id": decision["decision_id"], "card": decision["card"]["legal"][0]}
        print(json.dumps({"answer": answer}), flush=True)
