-- Each day of a dataset in ClickHouse has one generation, whose rows readers see. The later ones had corrected running totals,
-- which pages now add up.
create table analytics.published_generations (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  generation bigint not null,
  primary key (brand_id, dataset, day),
  constraint published_generations_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement'))
);

create index published_generations_newest on analytics.published_generations (generation) where dataset = 'daily';

insert into analytics.published_generations (brand_id, dataset, day, generation)
select brand_id, dataset, day, generations[1] from analytics.published_layers;

-- Rows that nobody reads, of all datasets, until they are deleted: of an aggregation that has begun, which deletes its row here
-- when it is published, or replaced by a later one.
create table analytics.unpublished_generations (
  brand_id integer not null,
  generation bigint not null,
  from_day date not null,
  to_day date not null,
  since timestamptz(3) not null,
  primary key (brand_id, generation, from_day)
);

create index unpublished_generations_by_age on analytics.unpublished_generations (since);

insert into analytics.unpublished_generations (brand_id, generation, from_day, to_day, since)
select brand_id, generation, day, day, max(since) from analytics.stale_layers
where dataset not like 'totals_%' group by brand_id, generation, day;

insert into analytics.unpublished_generations (brand_id, generation, from_day, to_day, since)
select distinct p.brand_id, g.generation, p.day, p.day, clock_timestamp()
from analytics.published_layers p cross join unnest(p.generations[2:]) as g (generation)
on conflict do nothing;

drop table analytics.published_layers;
drop table analytics.stale_layers;
drop table analytics.generation_attempts;
drop table analytics.running_totals;
drop table analytics.totals_marks;

-- What is hidden of an erased learner: batches and generations below a number. Everything so far is.
alter table analytics.hidden_learners add column before bigint;
update analytics.hidden_learners
set before = (floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1735689600000) * 8192;
alter table analytics.hidden_learners alter column before set not null;
