-- Purpose: an ended intent whose provider tells another end is asked about, until it was. Lock: brief, on
-- intents, for the column and the index. Reversible: drop both. Breaking: no.
--
-- Where a look-up exists a notification is only a hint: it makes the engine ask. An intent that goes on
-- has a run which does so; for one that has ended the auditor does, and this says which those are.

alter table intents add column told_otherwise_since timestamptz;

create index intents_told_otherwise on intents (told_otherwise_since)
  where told_otherwise_since is not null;

grant update (told_otherwise_since) on intents to resolute_worker;
grant update (told_otherwise_since, audited_at) on intents to resolute_operator;
