-- The origin of a write: which key and request moved stock, submitted a feed or used an Idempotency-Key. Null: from before
-- this migration, or by a process of the version before. No foreign keys: an origin outlives the key that it names, and the
-- check of one would cost each line of a feed a look-up.

-- A movement of a feed names the line; the feed names the key and the request.
alter table stock_movements
  add column key_id text,
  add column request_id text,
  add column feed_id bigint,
  add column feed_line integer,
  add constraint stock_movements_origin check (
    (feed_id is null) = (feed_line is null) and (feed_id is null or (reason = 'feed' and key_id is null and request_id is null))
  );

alter table stock_feeds
  add column submitted_by text,
  add column request_id text;

alter table idempotency_records
  add column method text,
  add column path text,
  add column key_id text,
  add column request_id text;

-- A request is looked up by its id alone.
create index stock_movements_by_request on stock_movements (request_id) where request_id is not null;
create index stock_feeds_by_request on stock_feeds (request_id) where request_id is not null;
create index idempotency_records_by_request on idempotency_records (request_id) where request_id is not null;
create index audit_entries_by_request on audit_entries (request_id) where request_id is not null;
