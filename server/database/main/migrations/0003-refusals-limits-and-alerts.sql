-- Requests of keys that were refused or failed: at most 10,000 of a brand, which number them from 1 [D250]. No foreign key to
-- api_keys, as in api_key_usage.
create table refusals (
  brand_id integer not null references brands (id),
  id bigint not null,
  at timestamptz(3) not null,
  request_id text collate "C" not null,
  key_id text collate "C" not null,
  -- The operationId; null: the path has none.
  operation text collate "C",
  method text not null,
  -- As sent, without the query.
  path text not null,
  status smallint not null,
  code text collate "C" not null,
  -- Why the key was refused with 401.
  reason text,
  -- The names of the fields at fault.
  fields text[] not null,
  address inet,
  -- The requests that this row counts; the other columns are those of the first.
  count integer not null,
  -- The minute of rows that count several requests.
  minute timestamptz(3),
  primary key (brand_id, id),
  constraint refusals_status check (status between 400 and 599),
  constraint refusals_reason check (reason in ('revoked', 'expired', 'deleted', 'wrong_secret')),
  constraint refusals_count check (count > 0)
) with (fillfactor = 90);
create unique index refusals_merged on refusals (brand_id, key_id, code, minute) where minute is not null;
create index refusals_by_time on refusals (brand_id, at, id);
create index refusals_by_key on refusals (brand_id, key_id, at, id);
create index refusals_by_request on refusals (request_id);
create index refusals_by_age on refusals (at);

alter table api_keys add column last_refused_at timestamptz(3), add column last_refused_code text;

-- Feeds with lines that somebody has to act on, which are few: by brand, and those that ended lately.
create index stock_feeds_refused on stock_feeds (brand_id, id)
  where totals ?| array['unknown_sku', 'unknown_location', 'not_stockable'];
create index stock_feeds_refused_by_end on stock_feeds (finished_at)
  where totals ?| array['unknown_sku', 'unknown_location', 'not_stockable'];

-- Own rate limits of keys and brands, in place of the configured ones: {"limits": {bucket: requests a minute}, "until": time or
-- null}; null: none. In the rows that authentication reads, so that a change holds from the next request on [D251].
alter table api_keys add column own_limits jsonb,
  add constraint api_keys_own_limits check (jsonb_typeof(own_limits -> 'limits') = 'object') not valid;
alter table brands add column own_limits jsonb,
  add constraint brands_own_limits check (jsonb_typeof(own_limits -> 'limits') = 'object') not valid;
alter table api_keys validate constraint api_keys_own_limits;
alter table brands validate constraint brands_own_limits;

-- Alerts that wait for the webhook of the operator, or were sent there [D254]. Without brand_id: they are of the installation, and
-- stay where they are when a brand moves.
create table alerts (
  id uuid not null default gen_random_uuid() primary key,
  -- What the alert is about, once: "feed_failed/12/2026-03-01T08".
  concern text collate "C" not null constraint alerts_concern_unique unique,
  kind text not null,
  at timestamptz(3) not null,
  details jsonb not null,
  created_at timestamptz(3) not null,
  attempts integer not null default 0,
  -- null: it was sent, or there are no more attempts.
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3)
);
create index alerts_due on alerts (next_attempt_at) where next_attempt_at is not null;
create index alerts_by_age on alerts (created_at);
