-- Indexes between which the planner has nothing to choose. On a table without statistics it expects one row of any two columns
-- that are compared, so an index that finds the row and one that finds all rows of an axis cost the same, and the one that was
-- made last is used: the values of an axis were looked up by reading all of them, foreign keys were checked by reading all products
-- of an axis, and connections kept such plans while the tables grew. Now no look-up by id or by value matches two leading
-- columns of an index made for another one.

-- By product and axis: product_axes_pkey. By axis: this one, which now finds one product's row as well.
drop index product_axes_by_axis;
create index product_axes_by_axis on product_axes (brand_id, axis_id, product_id);

drop index product_axis_values_by_value;
create index product_axis_values_by_value on product_axis_values (brand_id, value_id, axis_id, product_id);

drop index variant_axis_values_by_value;
create index variant_axis_values_by_value on variant_axis_values (brand_id, value_id, axis_id);

-- By id: axis_values_pkey.
alter table axis_values drop constraint axis_values_value_unique,
  add constraint axis_values_value_unique unique (brand_id, value, axis_id);
