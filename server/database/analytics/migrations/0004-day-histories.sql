-- Why the figures of a day changed: its last ten revisions, the newest first. In a table of its own, since each read of a window
-- reads the rows of dataset_revisions. Days that were revised by an earlier version have none until they change again.
create table analytics.day_histories (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  -- [{ revision, at (milliseconds since 1970), cause (null: not recorded), events, rows }]
  revisions jsonb not null,
  primary key (brand_id, dataset, day),
  constraint day_histories_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement')),
  constraint day_histories_bound check (jsonb_array_length(revisions) between 1 and 10)
) with (fillfactor = 80);
