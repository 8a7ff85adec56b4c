-- Runs once on a database at the last of the migrations that 0001-schema replaced: brings its schema to that of 0001-schema.

create function now_ms() returns timestamptz language sql volatile parallel safe
return date_trunc('milliseconds', clock_timestamp());

-- Changes the catalog only, not the tables' rows.
do $$
declare
  statement text;
begin
  for statement in
    select format('alter table %s alter column %I set default now_ms()', a.attrelid::regclass, a.attname)
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace
      and pg_get_expr(d.adbin, d.adrelid) = 'date_trunc(''milliseconds''::text, clock_timestamp())'
  loop
    execute statement;
  end loop;
end
$$;
