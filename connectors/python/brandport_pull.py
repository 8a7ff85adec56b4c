#!/usr/bin/env python3
# Executed by the tests: this file, by Debian's python3, against the real service. Nothing else was run.
"""Pulls Brandport's learning analytics with the standard library only (Python 3.9 or later).

As a program, it keeps one JSON Lines file for each day, and reads only days that have changed:

    BRANDPORT_URL=https://api.example.com BRANDPORT_API_KEY=… python3 brandport_pull.py users daily --out warehouse

As a module, `Analytics` reads the status and whole days; see `pull` for an example.
"""
import argparse
import datetime
import http.client
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PATHS = {
    "daily": "/metrics/daily",
    "contents": "/metrics/contents",
    "users": "/users/daily",
    "content_engagement": "/users/contents",
}
RETRIED = {408, 429, 500, 502, 503, 504}


class BrandportError(Exception):
    """An answer that is not a success. `code` is stable, the message is for people."""

    def __init__(self, status, code, message):
        super().__init__(f"{message} ({code})")
        self.status, self.code = status, code


class Analytics:
    """The analytics endpoints with one API key. An instance is for one thread."""

    def __init__(self, base_url, api_key, attempts=8):
        self.base_url, self.api_key, self.attempts = base_url.rstrip("/"), api_key, attempts

    def get(self, path, query=None):
        """Returns the body and the headers. Repeats after lost connections, 429 and 5xx, and waits `Retry-After` seconds."""
        url = f"{self.base_url}/v1/client/analytics{path}?{urllib.parse.urlencode(query or {})}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.api_key}"})
        for attempt in range(1, self.attempts + 1):
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    return json.load(response), response.headers
            except urllib.error.HTTPError as error:
                if error.code not in RETRIED or attempt == self.attempts:
                    raise described(error) from None
                wait = error.headers.get("Retry-After")
            except (OSError, http.client.HTTPException, ValueError):
                if attempt == self.attempts:
                    raise
                wait = None
            time.sleep(float(wait) if wait else min(20, 0.25 * 2**attempt))

    def status(self, dataset, since=None):
        """Returns the status of a dataset. With `since`, a revision, it has the days that have changed after it."""
        query = {} if since is None else {"changes_since": f"{dataset}:{since}"}
        datasets = self.get("/status", query)[0]["datasets"]
        if datasets is None:
            raise BrandportError(503, "analytics_unavailable", "The analytics store is unavailable.")
        return datasets[dataset]

    def day(self, dataset, date):
        """Returns all rows of a day, read at one revision: a day that is aggregated meanwhile is read again."""
        for _ in range(5):
            try:
                pages = list(self.pages(dataset, date))
            except BrandportError as error:
                if error.code != "invalid_cursor":
                    raise
                continue
            if len({revision for revision, _ in pages}) == 1:
                return [row for _, rows in pages for row in rows]
        raise BrandportError(409, "window_changed", f"{dataset} of {date} changed during five walks.")

    def pages(self, dataset, date):
        """Yields the window's revision and the rows of each page. Only a null cursor is the end: pages may be empty."""
        query = {"from": date, "to": date, "per_page": 200 if dataset == "daily" else 500}
        while True:
            body, headers = self.get(PATHS[dataset], query)
            yield headers.get("Brandport-Window-Revision"), body["data"]
            if not body["meta"].get("next_cursor"):
                return
            query["cursor"] = body["meta"]["next_cursor"]

    def changed_days(self, dataset, since):
        """Returns the revision to keep once the days are stored, and the days. Without `since`: all days."""
        status = self.status(dataset, since or 0)
        latest, oldest = status["latest_date"], status.get("oldest_date")
        if latest is None:
            return status.get("revision"), []
        changed = status.get("changed")
        if changed and changed["complete"]:
            return status["revision"], [day["date"] for day in changed["days"] if day["date"] <= latest]
        return status.get("revision"), days_between(oldest or latest, latest)


def described(error):
    try:
        body = json.load(error)
        return BrandportError(error.code, body["code"], body["message"])
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return BrandportError(error.code, f"http_{error.code}", str(error.reason))


def days_between(first, last):
    first, last = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    return [str(first + datetime.timedelta(days=n)) for n in range((last - first).days + 1)]


def write_whole(path, text):
    """Replaces a file: after a crash it has its old content or its new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def pull(analytics, datasets, out):
    """Replaces the files of changed days, then keeps the revision. A run that is interrupted is simply repeated."""
    for dataset in datasets:
        state = out / dataset / "_state.json"
        since = json.loads(state.read_text())["revision"] if state.exists() else None
        revision, days = analytics.changed_days(dataset, since)
        for date in days:
            rows = analytics.day(dataset, date)
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            write_whole(out / dataset / f"date={date}.jsonl", lines)
            print(f"{dataset} {date}: {len(rows)} rows", file=sys.stderr)
        if revision is not None:
            write_whole(state, json.dumps({"revision": revision}) + "\n")


def main():
    parser = argparse.ArgumentParser(description="Pulls days of Brandport's analytics that have changed.")
    parser.add_argument("datasets", nargs="+", choices=PATHS)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    analytics = Analytics(os.environ["BRANDPORT_URL"], os.environ["BRANDPORT_API_KEY"])
    try:
        pull(analytics, arguments.datasets, arguments.out)
    except BrandportError as error:
        sys.exit(f"brandport_pull: {error}")


if __name__ == "__main__":
    main()
