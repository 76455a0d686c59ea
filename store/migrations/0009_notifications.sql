-- Purpose: notifications are taken in and become evidence (rule 2). Lock: exclusive and brief, on
-- provider_notifications, which no earlier release writes. Reversible: yes. Breaking: no.
--
-- Of a notification is kept what decisions need: id, type, which effect of ours it names, what it says
-- of it, and a digest of its bytes. Nothing personal, and no reference of somebody else's.

alter table provider_notifications rename column body to said;
alter table provider_notifications
  alter column said drop not null,
  add column about uuid,
  add column effect text constraint notified_effect_is_known check (effect in ('apply', 'revert')),
  add column body_digest bytea not null constraint body_digest_is_sha256 check (
    length(body_digest) = 32),
  add column alarmed_at timestamptz,
  add constraint about_names_an_effect check ((about is null) = (effect is null)),
  add constraint matched_is_whole check ((intent is null) = (matched_at is null)),
  add constraint matched_as_named check (intent is null or intent = about);

comment on column provider_notifications.said is
  'What it tells: finding, amount, currency, provider_key; null for types that tell of no effect';
comment on column provider_notifications.about is
  'The intent that our reference in it names, whether that exists or not';

-- What waits to become evidence: few rows, however many the table holds.
create index notifications_unmatched on provider_notifications (about)
  where matched_at is null and said is not null;

create trigger notifications_are_never_deleted before delete on provider_notifications
  for each row execute function refuse_change();

grant select, update (intent, matched_at, alarmed_at) on provider_notifications to resolute_worker;

-- A notification comes without a tenant. The gateway may put it in, and learns whose intent it names,
-- to wake its workflow under that tenant's visibility; the table itself it neither reads nor writes.
drop policy api_takes_in_for_all on provider_notifications;
drop policy api_sees_what_its_intent_shows on provider_notifications;
revoke select, insert on provider_notifications from resolute_api;

create function take_in_notification (
  its_provider text, its_id text, its_type text, its_intent uuid, its_effect text, its_words jsonb,
  its_digest bytea)
returns table (intent uuid, tenant text, is_waiting boolean)
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
begin
  insert into provider_notifications (provider, event_id, type, about, effect, said, body_digest)
  values (its_provider, its_id, its_type, its_intent, its_effect, its_words, its_digest)
  on conflict on constraint notification_is_taken_once do nothing;
  -- Where nothing is open any more, nobody need be woken.
  return query
    select named.id, named.tenant,
      taken.matched_at is null and named.status not in ('succeeded', 'failed', 'canceled')
    from provider_notifications taken
    join intents named on named.id = taken.about and named.provider = taken.provider
    where taken.provider = its_provider and taken.event_id = its_id and taken.said is not null;
end $$;
revoke execute on function take_in_notification (text, text, text, uuid, text, jsonb, bytea)
  from public;
grant execute on function take_in_notification (text, text, text, uuid, text, jsonb, bytea)
  to resolute_api;
