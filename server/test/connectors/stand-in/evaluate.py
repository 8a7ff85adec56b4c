"""Evaluates expressions of a manifest with Jinja2: reads [[expression, names], …] and prints the texts."""
import datetime
import json
import sys

import jinja2


def day_delta(days, format):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)).strftime(format)


environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
environment.globals["day_delta"] = day_delta
print(json.dumps([environment.from_string(text).render(**names) for text, names in json.load(sys.stdin)]))
