-- Purpose: an operator with evidence closes a discrepancy, or an effect without an intent; the closing is
-- a row of the decisions' chain. Intents that Temporal does not start, since a run of that id has
-- completed, are marked. Lock: brief, exclusive, on intents, decisions and orphan_effects; one index of
-- intents is built anew (make it before, under its name, on a big table). Reversible: drop what it adds,
-- restore the functions and the index of 0008. Breaking: no.

alter table decisions drop constraint decision_is_known;
alter table decisions
  add constraint decision_is_known check (
    kind in ('applied', 'not_applied', 'retry', 'approve', 'close')),
  alter column intent drop not null,
  -- What is closed: {since, reason, closing, seen} of an intent's discrepancy, where `seen` is the last
  -- observation that it knew; {provider, provider_id} of an effect without an intent.
  add column closes jsonb,
  add constraint only_a_closing_closes check ((kind = 'close') = (closes is not null)),
  add constraint only_an_orphan_has_no_intent check (
    intent is not null or (kind = 'close' and closes ?& array['provider', 'provider_id'])),
  add constraint closing_says_who_is_right check (
    kind <> 'close' or intent is null or (closes ?& array['since', 'reason', 'seen']
      and (closes ->> 'closing') in ('outcome_stands', 'evidence_stands'))),
  -- A closing moves no money and sends nothing: one person is enough, but a proven one.
  add constraint closing_is_authenticated check (
    kind <> 'close' or (authenticated and state = 'effective' and not override));

create unique index discrepancy_is_closed_once on decisions (intent, (closes ->> 'since'))
  where kind = 'close' and intent is not null;
create unique index orphan_is_closed_once
  on decisions ((closes ->> 'provider'), (closes ->> 'provider_id')) where intent is null;

-- Closed as `outcome_stands` the mark goes: the evidence was wrong. Closed as `evidence_stands` it stays,
-- and only waits for nobody any more: draws and refunds go on reckoning with it (0010).
alter table intents
  add column discrepancy_closed_at timestamptz,
  add constraint only_a_discrepancy_is_closed check (
    discrepancy_closed_at is null or discrepancy_since is not null),
  -- Not final, and Temporal holds a completed run under its id: nothing starts by itself.
  add column held_back_since timestamptz;

-- Nobody's statement takes a discrepancy away; only a closing of this very one does.
create function guard_discrepancy () returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from decisions where intent = old.id and kind = 'close'
      and (closes ->> 'since')::timestamptz = date_trunc('milliseconds', old.discrepancy_since))
  then
    raise exception 'discrepancy_is_closed_by_a_person: %', old.id
      using errcode = 'check_violation', constraint = 'discrepancy_is_closed_by_a_person';
  end if;
  return new;
end $$;
create trigger guard_discrepancy before update of discrepancy_since, discrepancy_closed_at on intents
  for each row
  when (old.discrepancy_since is not null and old.discrepancy_closed_at is null
    and (new.discrepancy_since, new.discrepancy_closed_at)
      is distinct from (old.discrepancy_since, old.discrepancy_closed_at))
  execute function guard_discrepancy();

-- What is open is not purged; what a person has closed may be.
create or replace function guard_purge () returns trigger language plpgsql as $$
begin
  if old.purged_at is not null then
    if (new.purged_at, new.params, new.idempotency_key) is distinct from (old.purged_at, null, null)
    then
      raise exception 'tombstone_is_never_filled' using errcode = 'check_violation';
    end if;
  elsif old.finalised_at is null then
    raise exception 'purged_only_when_final: %', old.status using errcode = 'check_violation';
  elsif (old.discrepancy_since is not null and old.discrepancy_closed_at is null)
     or (new.discrepancy_since is not null and new.discrepancy_closed_at is null) then
    raise exception 'purged_only_without_discrepancy' using errcode = 'check_violation';
  end if;
  return new;
end $$;

drop index intents_to_purge;
create index intents_to_purge on intents (operation, finalised_at)
  where finalised_at is not null and purged_at is null
    and (discrepancy_since is null or discrepancy_closed_at is not null);

create or replace function purge_intents (ids uuid[]) returns int
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare purged int;
begin
  update intents set params = null, idempotency_key = null, purged_at = clock_timestamp()
  where id = any (ids) and purged_at is null
    and (discrepancy_since is null or discrepancy_closed_at is not null)
    and status in ('succeeded', 'failed', 'canceled');
  get diagnostics purged = row_count;
  return purged;
end $$;

create or replace function purge_expired (of_operation text, days int, most int) returns int
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
      and purged_at is null and (discrepancy_since is null or discrepancy_closed_at is not null)
    order by finalised_at limit most
    for no key update skip locked));
end $$;

grant update (discrepancy_closed_at, held_back_since) on intents to resolute_worker;
grant update (discrepancy_closed_at) on intents to resolute_operator;

-- Effects without an intent belong to no tenant that we know: operators see them, and nobody else.
grant select on orphan_effects to resolute_api, resolute_operator;
alter table orphan_effects enable row level security;
create policy worker_acts_for_all on orphan_effects to resolute_worker using (true) with check (true);
create policy operator_acts_for_all on orphan_effects for select to resolute_operator using (true);
create policy api_shows_operators on orphan_effects for select to resolute_api
  using ((select current_setting('resolute.tenant', true)) = '*');
create policy api_shows_operators_what_has_no_intent on decisions for select to resolute_api
  using (intent is null and (select current_setting('resolute.tenant', true)) = '*');
