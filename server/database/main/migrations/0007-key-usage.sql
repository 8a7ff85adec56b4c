-- Requests by key, operation and hour, added up by each process every few seconds. No foreign key to api_keys: the counts of a
-- deleted key stay until retention drops them, and a process may write counts of a key that was just deleted.
create table api_key_usage (
  brand_id integer not null references brands (id),
  -- The start of the hour.
  hour timestamptz(3) not null,
  key_id text collate "C" not null,
  -- The operationId.
  operation text collate "C" not null,
  -- The scope by which the key may call the operation, or the one that it lacks; null: any valid key may.
  scope text,
  requests bigint not null,
  -- Rejected with 429.
  denied bigint not null,
  -- Rejected with any other 4xx.
  refused bigint not null,
  -- Failed with 5xx.
  failed bigint not null,
  primary key (brand_id, hour, key_id, operation),
  constraint api_key_usage_whole_hour check (mod(extract(epoch from hour), 3600) = 0),
  constraint api_key_usage_counts check (
    denied >= 0 and refused >= 0 and failed >= 0 and requests > 0 and requests >= denied + refused + failed
  )
) with (fillfactor = 80);
create index api_key_usage_by_hour on api_key_usage (hour);

-- Finds the keys of a lineage.
create index api_keys_by_lineage on api_keys (brand_id, lineage_id);
