-- Find what failed lately without reading all that was finished.
create index stock_feeds_failed on stock_feeds (finished_at) where status = 'failed';

-- Find the counts with denials. A count without any is still updated in place: the predicate does not change.
create index api_key_usage_denied on api_key_usage (hour) where denied > 0;
