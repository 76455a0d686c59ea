-- Purpose: intents that draw on another one (a refund on its charge) and together never take more than
-- it has. Lock: exclusive on intents while two indexes are built; no rewrite. Reversible: drop the
-- triggers and columns, restore the index. Breaking: no.
--
-- Draws on one intent are serialised by its row lock, taken before the row of the draw is written: the
-- sum is read in a statement of its own after the lock was granted, so it sees every draw that
-- committed before. Lock order: the intent that is drawn on, then the index entries of the new row.
-- Nobody takes them the other way round: the worker locks one intent at a time, and a draw never moves
-- the row that it draws on. The lock is the one of store/locked-intent.ts; "for update" would also hold
-- up the foreign keys of what is recorded about the charge.
--
-- No update can make the sum grow: a final state is never left, and what a draw takes never changes.

alter table intents
  add column draws_on uuid references intents (id),
  -- The provider's own id of what is drawn on, for the command; as final as that intent.
  add column draws_on_provider_id text,
  add constraint draw_is_whole check ((draws_on is null) = (draws_on_provider_id is null));

create index intents_drawn_on on intents (draws_on) where draws_on is not null;

-- A business key of draws is taken once among those of one intent, not of the whole tenant.
drop index business_key_is_taken_once;
create unique index business_key_is_taken_once
  on intents (tenant, operation, business_key, draws_on) nulls not distinct
  where status not in ('failed', 'canceled');

create function guard_draw () returns trigger language plpgsql as $$
declare
  origin intents%rowtype;
  rest bigint;
begin
  select * into origin from intents where id = new.draws_on for no key update;
  if not found or origin.tenant <> new.tenant or origin.draws_on is not null
     or origin.status <> 'succeeded' or origin.provider_id is null
     or origin.discrepancy_since is not null
  then
    raise exception 'drawn_on_has_succeeded: % is %', new.draws_on, origin.status
      using errcode = 'check_violation', constraint = 'drawn_on_has_succeeded';
  end if;
  if (new.provider, new.provider_account, new.currency, new.draws_on_provider_id)
     is distinct from
     (origin.provider, origin.provider_account, origin.currency, origin.provider_id)
  then
    raise exception 'draw_is_of_the_same_kind: provider, account, currency or id differ'
      using errcode = 'check_violation', constraint = 'draw_is_of_the_same_kind';
  end if;
  -- What ended without effect frees its amount, unless evidence says that it had one after all.
  select origin.amount - coalesce(sum(amount), 0) into rest from intents
  where draws_on = new.draws_on
    and (status not in ('failed', 'canceled') or discrepancy_since is not null);
  if new.amount > rest then
    raise exception 'draws_never_exceed: % of %', new.amount, rest
      using errcode = 'check_violation', constraint = 'draws_never_exceed', detail = rest::text;
  end if;
  return new;
end $$;
create trigger guard_draw before insert on intents
  for each row when (new.draws_on is not null) execute function guard_draw();

create function refuse_another_draw () returns trigger language plpgsql as $$
begin
  raise exception 'draw_never_changes' using errcode = 'check_violation',
    constraint = 'draw_never_changes';
end $$;
create trigger draw_never_changes
  before update of amount, currency, provider, provider_account, draws_on, draws_on_provider_id
  on intents for each row
  when ((old.amount, old.currency, old.provider, old.provider_account, old.draws_on,
      old.draws_on_provider_id)
    is distinct from (new.amount, new.currency, new.provider, new.provider_account, new.draws_on,
      new.draws_on_provider_id))
  execute function refuse_another_draw();
