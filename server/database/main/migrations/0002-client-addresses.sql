-- Where a credential was last used from, and who made an audited change. Null: never used, or from before this migration.

alter table api_keys add column last_used_from inet;
alter table feed_tokens add column last_used_from inet;

alter table audit_entries
  add column actor text,
  add column address inet,
  add column request_id text;

-- The keys that expire soon are counted for the metrics.
create index api_keys_by_expiry on api_keys (expires_at) where revoked_at is null and expires_at is not null;
