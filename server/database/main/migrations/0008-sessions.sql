-- Sessions of browsers on the internal surface.
create table console_sessions (
  id bigint generated always as identity primary key,
  -- Of the cookie, which is never stored.
  token_sha256 bytea not null unique,
  -- As in the audit.
  actor text not null,
  actor_name text,
  role text not null,
  -- Null: all brands.
  brand_ids integer[],
  -- The client's address when it signed in.
  address inet,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- The absolute end.
  expires_at timestamptz(3) not null,
  constraint console_sessions_digest check (octet_length(token_sha256) = 32),
  constraint console_sessions_role check (role in ('administrator', 'operator', 'support')),
  constraint console_sessions_brands check (
    case role when 'administrator' then brand_ids is null when 'operator' then cardinality(brand_ids) > 0 else true end
  ),
  constraint console_sessions_times check (created_at <= last_seen_at and created_at < expires_at)
);
create index console_sessions_by_end on console_sessions (expires_at);

-- The name of the actor at that time; `actor` is an id.
alter table audit_entries add column actor_name text;
