"""Runs the source with the states of its resources (argument), and prints what dlt would load and keep."""
import json
import os
import sys

from brandport import brandport

states = json.loads(sys.argv[1])
for each in brandport(os.environ["BRANDPORT_URL"], os.environ["BRANDPORT_API_KEY"]):
    state = states.get(each.hints["name"], {})
    items = each.run(state)
    print(json.dumps({"hints": each.hints, "items": items, "state": state}))
