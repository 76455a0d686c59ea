-- Purpose: retention and erasure. A purge takes the caller's parameters and the idempotency key; the row
-- stays for ever as a tombstone (INV-1): digests, fingerprint, business key, amount, outcome, the
-- provider's id, attempts, observations, events, what notifications said (nothing personal is kept of
-- them). Lock: exclusive on intents while two constraints are checked, and against writes while its
-- indexes are built: seconds for a million rows. A big table wants the indexes made before, under the
-- same names, with `create index concurrently`. Reversible: drop functions, trigger, constraint,
-- indexes. Breaking: no.

alter table intents add constraint purged_keeps_no_key check (
  purged_at is null or idempotency_key is null);

-- A tombstone is never filled again, and nothing that may still matter becomes one: the end comes
-- first, in a transaction of its own, and what is known against it is settled first. Not a CHECK:
-- evidence that arrives after the purge may still open a discrepancy (INV-6).
create function guard_purge () returns trigger language plpgsql as $$
begin
  if old.purged_at is not null then
    if (new.purged_at, new.params, new.idempotency_key) is distinct from (old.purged_at, null, null)
    then
      raise exception 'tombstone_is_never_filled' using errcode = 'check_violation';
    end if;
  elsif old.finalised_at is null then
    raise exception 'purged_only_when_final: %', old.status using errcode = 'check_violation';
  elsif old.discrepancy_since is not null or new.discrepancy_since is not null then
    raise exception 'purged_only_without_discrepancy' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_purge before update on intents for each row
  when (old.purged_at is not null or new.purged_at is not null) execute function guard_purge();

-- What is left to purge, oldest first; a purged row leaves it.
create index intents_to_purge on intents (operation, finalised_at)
  where finalised_at is not null and purged_at is null and discrepancy_since is null;
-- One payer's intents. The token is in it as long as it is in the row.
create index intents_of_a_source on intents (tenant, (params ->> 'source'))
  where params ->> 'source' is not null;

-- Makes tombstones of those of the given intents that may become one; says how many. For the function
-- that chooses, and the owner; for no other role.
create function purge_intents (ids uuid[]) returns int
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare purged int;
begin
  update intents set params = null, idempotency_key = null, purged_at = clock_timestamp()
  where id = any (ids) and purged_at is null and discrepancy_since is null
    and status in ('succeeded', 'failed', 'canceled');
  get diagnostics purged = row_count;
  return purged;
end $$;
revoke execute on function purge_intents (uuid[]) from public;

-- One batch of the daily job: intents of one operation whose outcome is older than `days`. The worker
-- may ask for no more than this: it can neither name rows nor shorten the least time. Rows that
-- somebody holds are left for the next batch, so that the job waits for nobody.
create function purge_expired (of_operation text, days int, most int) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if days is null or days < 30 then
    raise exception 'retention_is_long_enough: % days', days using errcode = 'check_violation';
  end if;
  if most is null or most not between 1 and 1000 then
    raise exception 'purge_is_bounded: % rows', most using errcode = 'check_violation';
  end if;
  return purge_intents(array(
    select id from intents
    where operation = of_operation and finalised_at < now() - make_interval(days => days)
      and status in ('succeeded', 'failed', 'canceled')
      and purged_at is null and discrepancy_since is null
    order by finalised_at limit most
    for no key update skip locked));
end $$;

revoke execute on function purge_expired (text, int, int) from public;
grant execute on function purge_expired (text, int, int) to resolute_worker;
