-- Refused requests whose key was not verified, which are of no brand: one row for each minute, network and reason.
create table unverified_refusals (
  minute timestamptz(3) not null,
  -- An IPv4 address, the /64 of an IPv6 address, or 'others'.
  network text collate "C" not null,
  reason text collate "C" not null,
  count integer not null,
  primary key (minute, network, reason),
  constraint unverified_refusals_count check (count > 0)
);
