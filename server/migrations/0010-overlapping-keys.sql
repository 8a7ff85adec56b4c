-- Overlapping keys: a key may be issued to replace another one of its brand while both work (decision Second round 1).

-- As rotated_from_key_id no foreign key: the replaced key may be deleted.
alter table api_keys add column replaces_key_id text;

-- A key continues a lineage by a rotation or by an overlap, not by both.
alter table api_keys add constraint api_keys_one_predecessor
  check (replaces_key_id is null or rotated_from_key_id is null);
