-- Purpose: an order of the outbox in which nothing turns up behind a reader. Lock: exclusive on
-- intent_events while the index is built; no rewrite, as the default is one value for all old rows.
-- Reversible: drop trigger, function, index, column. Breaking: no.
--
-- Ids are taken before the commit, so a lower id may become visible after a higher one. The position
-- is the transaction that wrote the event. A reader takes only positions below the oldest transaction
-- that is still open (pg_snapshot_xmin): whatever commits later has a higher one. So an open writing
-- transaction anywhere in the cluster holds the feed back until it ends, and skips nothing.
--
-- Positions are the cluster's transaction numbers. They survive physical copies and pg_upgrade. After
-- a logical restore into a younger cluster the feed stands still until its numbers have caught up.

alter table intent_events add column position xid8 not null default pg_current_xact_id();
create index events_in_order on intent_events (tenant, position, id);

-- A transaction may have its number before it waits for the intent's lock, and then write behind a
-- younger one. Its event takes the place after the one that it follows; the rule above still holds,
-- since a position is never lower than the own transaction.
create function follow_the_event_before () returns trigger language plpgsql as $$
begin
  new.position := greatest(pg_current_xact_id(), (
    select position from intent_events
    where intent = new.intent and sequence = new.sequence - 1));
  return new;
end $$;
create trigger follow_the_event_before before insert on intent_events
  for each row when (new.sequence > 1) execute function follow_the_event_before();
