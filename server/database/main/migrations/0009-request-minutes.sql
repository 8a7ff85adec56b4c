-- The admitted requests of each minute, by limit, which tell whether a new limit is below what was used. One row for an hour, of the
-- last eight days. The key '' has the requests of all keys and feed tokens of the brand.
create table request_minutes (
  brand_id integer not null,
  key_id text collate "C" not null,
  hour timestamptz(3) not null,
  bucket text collate "C" not null,
  -- By minute of the hour.
  requests integer[] not null,
  constraint request_minutes_pkey primary key (brand_id, key_id, hour, bucket),
  constraint request_minutes_brand_id_fkey foreign key (brand_id) references brands (id),
  constraint request_minutes_whole_hour check (mod(extract(epoch from hour), 3600) = 0),
  constraint request_minutes_sixty check (cardinality(requests) = 60)
) with (fillfactor = 80);
create index request_minutes_by_age on request_minutes (hour);
