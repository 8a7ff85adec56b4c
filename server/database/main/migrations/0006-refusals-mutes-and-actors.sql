-- What the response said: the message, the messages of fields by name, and the scopes of which the key has none. Rows of earlier
-- versions have none of it.
alter table refusals add column message text, add column errors jsonb, add column required_scopes text[];

-- Concerns of the overview that operators have muted, by the id of the concern, which is another once the concern changes.
create table muted_concerns (
  id text collate "C" primary key,
  muted_at timestamptz(3) not null default now_ms(),
  -- null: for as long as the concern stays the same.
  muted_until timestamptz(3),
  actor text not null,
  constraint muted_concerns_id_form check (id ~ '^[a-z_]+[.][0-9a-f]{16}$')
);

-- For the filter of the audit by the name of an actor.
create index audit_entries_by_actor_name on audit_entries (lower(actor_name collate "und-x-icu"), id)
  where actor_name is not null;
