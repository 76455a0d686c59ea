-- Purpose: the api role sees and writes rows of the tenant it acts for, whatever its code asks
-- (INV-11). Lock: brief, exclusive, on the tables named. Reversible: disable row level security.
-- Breaking: yes, for a gateway of an earlier release, which sets no scope and so sees nothing.
--
-- For whom it acts says the setting resolute.tenant, made for one transaction by store/query-as.ts: a
-- tenant's id, or '*' (no tenant's id can be that) for operators and the process's own bookkeeping,
-- which reads everything and writes no intent. Without it nothing is visible. It guards against a
-- forgotten condition, not against a gateway that was taken over: who may send any SQL may set it.
-- The worker acts for all tenants. The owner is not bound by policies. A further role that reads these
-- tables needs policies of its own.

alter table intents enable row level security;
alter table intent_events enable row level security;
alter table attempts enable row level security;
alter table observations enable row level security;
alter table decisions enable row level security;
alter table provider_notifications enable row level security;

-- The subselects make the setting a value of the statement, read once and not once a row.
create policy api_acts_for_one_tenant on intents to resolute_api using (
  tenant = (select current_setting('resolute.tenant', true))
  or (select current_setting('resolute.tenant', true)) = '*'
) with check (tenant = (select current_setting('resolute.tenant', true)));

create policy api_acts_for_one_tenant on intent_events to resolute_api using (
  tenant = (select current_setting('resolute.tenant', true))
  or (select current_setting('resolute.tenant', true)) = '*'
) with check (tenant = (select current_setting('resolute.tenant', true)));

-- Without a tenant column: as visible as their intent, by the policy above.
create policy api_sees_what_its_intent_shows on attempts for select to resolute_api
  using (exists (select from intents where intents.id = attempts.intent));
create policy api_sees_what_its_intent_shows on observations for select to resolute_api
  using (exists (select from intents where intents.id = observations.intent));
create policy api_sees_what_its_intent_shows on decisions for select to resolute_api
  using (exists (select from intents where intents.id = decisions.intent));

-- Notifications arrive before it is known whose they are: they are taken in for all tenants.
create policy api_takes_in_for_all on provider_notifications for insert to resolute_api
  with check ((select current_setting('resolute.tenant', true)) = '*');
create policy api_sees_what_its_intent_shows on provider_notifications for select to resolute_api
  using (
    (select current_setting('resolute.tenant', true)) = '*'
    or exists (select from intents where intents.id = provider_notifications.intent));

create policy worker_acts_for_all on intents to resolute_worker using (true) with check (true);
create policy worker_acts_for_all on intent_events to resolute_worker using (true) with check (true);
create policy worker_acts_for_all on attempts to resolute_worker using (true) with check (true);
create policy worker_acts_for_all on observations to resolute_worker using (true) with check (true);
create policy worker_acts_for_all on decisions to resolute_worker using (true) with check (true);
create policy worker_acts_for_all on provider_notifications to resolute_worker
  using (true) with check (true);

-- Who holds a token is asked before any tenant is known. The api role may ask for one digest, and can
-- no longer list tokens or tenants.
create function find_caller (digest bytea)
returns table (tenant text, actor text, scopes text[], default_provider text)
language sql stable security definer set search_path = pg_catalog, public as $$
  select key.tenant, key.actor, key.scopes, tenants.default_provider
  from api_keys key left join tenants on tenants.id = key.tenant
  where key.token_digest = digest and key.revoked_at is null
$$;
revoke execute on function find_caller (bytea) from public;
grant execute on function find_caller (bytea) to resolute_api;
revoke select on tenants, api_keys from resolute_api;
