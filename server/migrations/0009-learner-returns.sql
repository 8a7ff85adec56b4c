-- Learners who opted back in to analytics and whose days are not marked in the analytics store yet (decision Second round
-- 6). The store may be another database, or away: the mark must not get lost between the two. A row commits with the
-- opt-in and is deleted once the store has the marks.

create table learner_returns (
  brand_id integer not null,
  -- A new id for each opt-in: who is deleting an earlier one must not delete a later one with it.
  id bigint generated always as identity,
  -- No foreign key: it would check 10,000 learners one by one. Of a learner who is erased meanwhile nothing is marked.
  learner_id bigint not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id)
);

-- A trigger, so that no way of opting in can forget it. By row: a join of transition tables keeps the plan that it got for
-- one learner, which takes minutes for 10,000; 10,000 rows of this one are a fraction of a second.
create function note_learner_return() returns trigger language plpgsql as $$
begin
  insert into learner_returns (brand_id, learner_id) values (new.brand_id, new.id);
  return null;
end
$$;

create trigger learners_note_return after update on learners
for each row when (old.analytics_opt_out and not new.analytics_opt_out) execute function note_learner_return();
