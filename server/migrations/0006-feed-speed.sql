-- Large feeds are applied in the order of SKUs, and lines are numbered in the order in which they are applied.

alter table stock_feeds
  -- The numbers of the lines in the order of the request, in which the report shows them; null: that is how they are numbered.
  add column report_order integer[];

-- Numbers in no order do not compress; trying to would cost more than the bytes.
alter table stock_feeds alter column report_order set storage external;

-- Room on each page for the lines with their results: a decided line then touches no index.
alter table stock_feed_lines set (fillfactor = 50);
