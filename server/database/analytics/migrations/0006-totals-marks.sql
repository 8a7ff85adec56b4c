-- Brands whose days in ClickHouse were aggregated since the upkeep last examined whether running totals are worth writing. The upkeep
-- would otherwise read the records of all days of all brands each time.
create table analytics.totals_marks (
  brand_id integer primary key
);

insert into analytics.totals_marks (brand_id)
select distinct brand_id from analytics.brand_days
where aggregated_at is not null and exists (select from analytics.clickhouse_store where has_events);
