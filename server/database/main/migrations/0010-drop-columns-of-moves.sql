-- Columns of moves of brands between cells. Version 0.3 kept them for processes of 0.2; nothing reads or writes them.
alter table brands drop constraint brands_exported_when_closed, drop column closed_at, drop column exported_at;
alter table api_keys drop column brand_is_closed;
alter table feed_tokens drop column brand_is_closed;
