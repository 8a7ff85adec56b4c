-- People and programs with a token of their own for the internal surface.
create table administrators (
  id bigint generated always as identity primary key,
  -- The public part of the token, `bpa_<24 hex>`.
  token_id text collate "C" not null unique,
  secret_sha256 bytea not null,
  name text not null,
  role text not null,
  -- Null: all brands. Not a table of its own: brands are never deleted, and every request reads the list.
  brand_ids integer[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_from inet,
  created_at timestamptz(3) not null default now_ms(),
  constraint administrators_token_id check (token_id ~ '^bpa_[0-9a-f]{24}$'),
  constraint administrators_digest check (octet_length(secret_sha256) = 32),
  constraint administrators_role check (role in ('administrator', 'operator', 'support')),
  constraint administrators_brands check (
    case role when 'administrator' then brand_ids is null when 'operator' then cardinality(brand_ids) > 0 else true end
  )
);

-- Created again, because it refers to a table that is created after it.
create temporary table earlier_sessions on commit drop as table console_sessions;
drop table console_sessions;
create table console_sessions (
  id bigint generated always as identity primary key,
  -- Of the cookie, which is never stored.
  token_sha256 bytea not null unique,
  -- As in the audit.
  actor text not null,
  actor_name text,
  -- A session ends with the administrator who began it. Null: the admin token.
  administrator_id bigint references administrators (id) on delete cascade,
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
create index console_sessions_by_administrator on console_sessions (administrator_id);
insert into console_sessions (id, token_sha256, actor, actor_name, role, brand_ids, address, created_at, last_seen_at, expires_at)
  overriding system value
  select id, token_sha256, actor, actor_name, role, brand_ids, address, created_at, last_seen_at, expires_at from earlier_sessions;
select setval(pg_get_serial_sequence('console_sessions', 'id'), (select coalesce(max(id), 0) + 1 from console_sessions), false);
