-- Single sign-ons that a browser has begun at the identity provider and not finished.
create table console_sign_ins (
  -- Of the random value that comes back with the browser; it can be used once.
  state_sha256 bytea primary key,
  -- Of the cookie of the browser that began it.
  browser_sha256 bytea not null,
  -- The place in the console to show afterwards.
  return_to text not null,
  expires_at timestamptz(3) not null,
  constraint console_sign_ins_digests check (octet_length(state_sha256) = 32 and octet_length(browser_sha256) = 32),
  constraint console_sign_ins_return_to check (length(return_to) <= 2000)
);
create index console_sign_ins_by_end on console_sign_ins (expires_at);
