# The rows, days and state below the decorators are executed by the tests; loading by dlt was not run.
"""A dlt source of Brandport's learning analytics. Put brandport_pull.py of connectors/python beside this file.

    pipeline = dlt.pipeline("brandport", destination="duckdb", dataset_name="brandport")
    pipeline.run(brandport(base_url="https://api.example.com", api_key=dlt.secrets["brandport_api_key"]))

Each run loads the days whose rows have changed since the last one, and replaces them whole: rows of learners who have opted
out disappear with their day.
"""
import dlt

from brandport_pull import PATHS, Analytics

# A row with this column set is not loaded; it only deletes the rows of its day, also if the day has no rows any more.
REPLACED = "_day_replaced"


@dlt.source(name="brandport")
def brandport(base_url=dlt.config.value, api_key=dlt.secrets.value, datasets=tuple(PATHS)):
    """Returns a resource for each dataset."""
    analytics = Analytics(base_url, api_key)
    return [resource_of(analytics, dataset) for dataset in datasets]


def resource_of(analytics, dataset):
    return dlt.resource(
        changed_rows,
        name=dataset,
        write_disposition={"disposition": "merge", "strategy": "delete-insert"},
        merge_key="date",
        columns={
            "date": {"data_type": "date", "nullable": False},
            REPLACED: {"data_type": "bool", "hard_delete": True},
        },
    )(analytics, dataset)


def changed_rows(analytics, dataset):
    """Yields the rows of each changed day with the marker of the day. dlt keeps the state when it has loaded them."""
    state = dlt.current.resource_state()
    revision, days = analytics.changed_days(dataset, state.get("revision"))
    for date in days:
        yield [{"date": date, REPLACED: True}, *(flat(row) for row in analytics.day(dataset, date))]
    if revision is not None:
        state["revision"] = revision


def flat(row, prefix=""):
    """Joins nested names with `_`, and leaves nulls out: dlt stores a column that is missing as null."""
    columns = {}
    for name, value in row.items():
        if isinstance(value, dict):
            columns.update(flat(value, f"{prefix}{name}_"))
        elif value is not None:
            columns[prefix + name] = value
    return columns
