#!/usr/bin/env python3
# Executed by the tests: this file, by Debian's python3, against the real service. Nothing else was run.
"""Pulls Brandport's learning analytics with the standard library only (Python 3.9 or later).

As a program, it keeps one JSON Lines file for each day, and reads only days that have changed:

    BRANDPORT_URL=https://api.example.com BRANDPORT_API_KEY=… python3 brandport_pull.py users daily --out warehouse

As a module, `Analytics` reads the status and whole days of a range; see `pull` for an example.
"""
import argparse
import datetime
import email.utils
import http.client
import json
import os
import pathlib
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# The path of each dataset, the longest range of a request in days, and what else is sent.
DATASETS = {
    "daily": ("/metrics/daily", 366, {"per_page": 200}),
    "daily_by_market": ("/metrics/daily", 366, {"per_page": 200, "group_by": "market"}),
    "contents": ("/metrics/contents", 92, {"per_page": 500}),
    "users": ("/users/daily", 92, {"per_page": 500}),
    "content_engagement": ("/users/contents", 92, {"per_page": 500}),
}
# A range is read again if a day of it changes meanwhile, and is in memory as a whole.
ROWS_OF_A_RANGE = 25_000
RETRIED = {408, 429, 500, 502, 503, 504}
# The first day that can have rows.
EARLIEST = "2000-01-01"
# A longer wait that the service asks for is not begun.
LONGEST_WAIT = 600


class BrandportError(Exception):
    """An answer that is not a success. `code` is stable, the message is for people."""

    def __init__(self, status, code, message):
        super().__init__(f"{message} ({code})")
        self.status, self.code = status, code


class KeepAddress(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: urllib would send the key to the other host."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(KeepAddress)


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
                with OPENER.open(request, timeout=60) as response:
                    text, headers = response.read(), response.headers
            except urllib.error.HTTPError as error:
                wait = asked_seconds(error.headers)
                if error.code not in RETRIED or attempt == self.attempts or (wait or 0) > LONGEST_WAIT:
                    raise described(error, wait) from None
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                if attempt == self.attempts or isinstance(reason, ssl.SSLError):
                    raise BrandportError(None, "connection_failed", unreached(self.base_url, reason)) from None
                wait = None
            else:
                try:
                    return json.loads(text), headers
                except ValueError:
                    message = f"The response {response.status} of {self.base_url} is not JSON: a proxy may have sent it."
                    raise BrandportError(response.status, "unexpected_response", message) from None
            time.sleep(min(20, 0.25 * 2**attempt) if wait is None else wait)

    def status(self, dataset, since=None):
        """Returns the status of a dataset. With `since`, a revision, it has the days that have changed after it."""
        name = "daily" if dataset == "daily_by_market" else dataset
        datasets = self.get("/status", {} if since is None else {"changes_since": f"{name}:{since}"})[0]["datasets"]
        if datasets is None:
            raise BrandportError(503, "analytics_unavailable", "The analytics store is unavailable.")
        return datasets[name]

    def range(self, dataset, first, last):
        """Returns all rows of the days, read at one revision: a range whose days change meanwhile is read again."""
        for _ in range(5):
            try:
                pages = list(self.pages(dataset, first, last))
            except BrandportError as error:
                if error.code != "invalid_cursor":
                    raise
                continue
            if len({revision for revision, _ in pages}) == 1:
                return [row for _, rows in pages for row in rows]
        raise BrandportError(409, "window_changed", f"{dataset} from {first} to {last} changed during five walks.")

    def pages(self, dataset, first, last):
        """Yields the window's revision and the rows of each page. A page may be empty before the last one."""
        path, _, more = DATASETS[dataset]
        query = {"from": first, "to": last, **more}
        while True:
            body, headers = self.get(path, query)
            yield headers.get("Brandport-Window-Revision"), body["data"]
            meta = body["meta"]
            if meta.get("next_cursor"):
                query["cursor"] = meta["next_cursor"]
            elif meta.get("current_page", 1) < meta.get("last_page", 1):
                query["page"] = meta["current_page"] + 1
            else:
                return

    def changed_days(self, dataset, since):
        """Returns the revision to keep once the days are stored, the last day, and the days. Without `since`: all days."""
        status = self.status(dataset, since or 0)
        latest, oldest = status["latest_date"], max(status.get("oldest_date") or EARLIEST, EARLIEST)
        if latest is None:
            return status.get("revision"), None, []
        changed = status.get("changed")
        if changed and changed["complete"]:
            return status["revision"], latest, [
                day["date"] for day in changed["days"] if EARLIEST <= day["date"] <= latest
            ]
        return status.get("revision"), latest, days_between(oldest, latest)


def asked_seconds(headers):
    """The seconds of `Retry-After`, which may be a date: it is compared with the `Date` of the response. None without one."""
    text = headers.get("Retry-After")
    if text is None or text.strip().isdigit():
        return None if text is None else float(text)
    try:
        at = email.utils.parsedate_to_datetime(text)
        now = headers.get("Date")
        now = email.utils.parsedate_to_datetime(now) if now else datetime.datetime.now(datetime.timezone.utc)
        return max(0.0, (at - now).total_seconds())
    except (ValueError, TypeError):
        return None


def unreached(base_url, reason):
    advice = ""
    if isinstance(reason, ssl.SSLCertVerificationError):
        advice = " SSL_CERT_FILE names the file of your own authority."
    return f"{base_url} cannot be reached: {reason}.{advice}"


def described(error, wait):
    if 300 <= error.code < 400 and error.headers.get("Location"):
        target = urllib.parse.urljoin(error.url, error.headers["Location"]).partition("?")[0]
        message = f"The service redirects to {target}, which is not followed: use its own address."
        return BrandportError(error.code, "unexpected_response", message)
    asked = f" It asks to wait {wait:.0f} s." if wait else ""
    try:
        body = json.load(error)
        return BrandportError(error.code, body["code"], f"{body['message']}{asked}")
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return BrandportError(error.code, f"http_{error.code}", f"{error.reason}{asked}")


def days_between(first, last):
    first, last = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    return [str(first + datetime.timedelta(days=n)) for n in range((last - first).days + 1)]


def first_range(days, length):
    """Returns the days at the beginning that follow each other without a gap, at most `length`."""
    count = 1
    while count < min(length, len(days)) and days_between(days[count - 1], days[count])[1:] == [days[count]]:
        count += 1
    return days[:count]


def write_whole(path, text):
    """Replaces a file: after a crash it has its old content or its new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def store(path, rows):
    """Writes the file of a day. A day without rows needs none, unless rows of it are stored."""
    if rows or path.exists():
        write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def pull(analytics, datasets, out):
    """Replaces the files of changed days, then keeps the revision. A run that is interrupted is simply repeated."""
    for dataset in datasets:
        state = out / dataset / "_state.json"
        since = json.loads(state.read_text())["revision"] if state.exists() else None
        revision, latest, days = analytics.changed_days(dataset, since)
        # A service that was restored may have lost days.
        for path in (out / dataset).glob("date=*.jsonl"):
            if path.stat().st_size > 0 and (latest is None or path.stem > f"date={latest}"):
                write_whole(path, "")
        length = 1
        while days:
            taken = first_range(days, length)
            rows = analytics.range(dataset, taken[0], taken[-1])
            for date in taken:
                store(out / dataset / f"date={date}.jsonl", [row for row in rows if row["date"] == date])
            print(f"{dataset} {taken[0]} to {taken[-1]}: {len(rows)} rows", file=sys.stderr)
            days = days[len(taken) :]
            fitting = ROWS_OF_A_RANGE * len(taken) // max(1, len(rows))
            length = max(1, min(fitting, length * 4, DATASETS[dataset][1]))
        if revision is not None:
            write_whole(state, json.dumps({"revision": revision}) + "\n")


def main():
    parser = argparse.ArgumentParser(description="Pulls days of Brandport's analytics that have changed.")
    parser.add_argument("datasets", nargs="+", choices=DATASETS)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    analytics = Analytics(os.environ["BRANDPORT_URL"], os.environ["BRANDPORT_API_KEY"])
    try:
        pull(analytics, arguments.datasets, arguments.out)
    except (BrandportError, OSError) as error:
        sys.exit(f"brandport_pull: {error}")
    except KeyboardInterrupt:
        sys.exit("brandport_pull: interrupted; run it again")


if __name__ == "__main__":
    main()
