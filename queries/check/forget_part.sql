-- purpose: empty what building made of a part
DELETE FROM ledger;
DELETE FROM file_events;
