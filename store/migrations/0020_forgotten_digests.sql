-- Purpose: an attempt's digest of the request goes with the parameters. It has no key, so that whoever
-- had the table could find by guessing what a purge or an erasure took. Lock: brief, exclusive, on
-- attempts and intents; the attempts of tombstones are written, and their rows held, until it commits.
-- Reversible: drop triggers and functions; what was forgotten stays so. Breaking: no.

alter table attempts alter column request_digest drop not null;

update attempts set request_digest = null from intents
where intents.id = attempts.intent and intents.purged_at is not null;

-- By whatever way an intent becomes a tombstone. Only the owner may set the time, and the function that
-- purges runs as the owner: no role needs a right on the column.
create function forget_digests () returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update attempts set request_digest = null where intent = new.id and request_digest is not null;
  return null;
end $$;
create trigger forget_digests after update of purged_at on intents for each row
  when (old.purged_at is null and new.purged_at is not null) execute function forget_digests();

-- What was sent is never told otherwise, and what was forgotten is never filled again.
create function guard_request_digest () returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception 'request_digest_is_only_forgotten' using errcode = 'check_violation';
end $$;
create trigger guard_request_digest before update of request_digest on attempts for each row
  when (new.request_digest is not null and new.request_digest is distinct from old.request_digest)
  execute function guard_request_digest();
