-- A routine because only a trigger covers every way of opting in.
--
-- Records a learner who opted back in to analytics in learner_returns. Runs per row: a join of transition tables would
-- keep the plan made for one learner, which takes minutes for 10,000; 10,000 rows of this one take a fraction of a
-- second.
create or replace function note_learner_return() returns trigger language plpgsql as $$
begin
  insert into learner_returns (brand_id, learner_id) values (new.brand_id, new.id);
  return null;
end
$$;

create or replace trigger learners_note_return after update on learners
for each row when (old.analytics_opt_out and not new.analytics_opt_out) execute function note_learner_return();
