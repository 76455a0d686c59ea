-- Purpose: operators' decisions (rule 10) as evidence that cannot be rewritten: proposals, approvals and
-- refusals are rows of one hash chain. Lock: brief, on decisions (nothing ever wrote to it), intents and
-- the tables named. Reversible: drop what it adds. Breaking: no.
--
-- Written by neither the api nor the worker as such: by the role resolute_operator, which both may
-- assume for one transaction (store/as-operator.ts) and which neither inherits. So no other statement
-- of the gateway can move an intent, and none of the worker can decide.

alter table decisions
  add column position bigint not null constraint decision_has_one_place unique check (position >= 1),
  add column approves text references decisions (id),
  add column override boolean not null,
  add column attempts int not null check (attempts >= 0),
  add column state text not null constraint decision_state_is_known check (
    state in ('proposed', 'effective', 'refused')),
  add column refusal_code text,
  add column refusal_detail text,
  add constraint decision_chain_cannot_fork unique (previous_hash),
  add constraint decision_is_about_an_intent foreign key (intent) references intents (id),
  add constraint only_an_approval_approves check ((kind = 'approve') = (approves is not null)),
  add constraint decision_has_evidence check (kind = 'approve' or evidence ~ '\S'),
  add constraint refused_says_why check (
    (state = 'refused') = (refusal_code is not null and refusal_detail is not null)),
  -- A claim may decide below the threshold and may propose. It never approves, and never overrides.
  add constraint approval_is_authenticated check (
    kind <> 'approve' or (authenticated and state <> 'proposed')),
  add constraint override_is_authenticated check (
    not override or authenticated or state = 'refused'),
  add constraint override_takes_two check (
    not override or kind = 'approve' or state <> 'effective');

create unique index decision_takes_effect_once on decisions (coalesce(approves, id))
  where state = 'effective';
create index decisions_of_intent on decisions (intent, position);
create index decisions_approved on decisions (approves) where approves is not null;

-- The chain is one line, and a person cannot be two, whatever a program says.
create function guard_decision () returns trigger language plpgsql as $$
declare
  last record;
  proposed record;
begin
  select position, hash into last from decisions order by position desc limit 1;
  if new.position <> coalesce(last.position, 0) + 1
     or new.previous_hash <> coalesce(last.hash, decode(repeat('00', 32), 'hex')) then
    raise exception 'decision_follows_the_last: place % does not', new.position
      using errcode = 'check_violation';
  end if;
  if new.kind = 'approve' and new.state = 'effective' then
    select * into strict proposed from decisions where id = new.approves;
    if proposed.state <> 'proposed' or proposed.intent <> new.intent
       or lower(proposed.operator) = lower(new.operator) then
      raise exception 'approval_is_by_another_person: % of %', new.operator, new.approves
        using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
create trigger guard_decision before insert on decisions
  for each row execute function guard_decision();
create trigger decisions_are_never_emptied before truncate on decisions
  for each statement execute function refuse_change();

alter table intents add column cancel_requested_by text;
grant update (cancel_requested_by) on intents to resolute_api;
grant update (cancel_requested_at, cancel_requested_by) on intents to resolute_worker;

grant usage on schema public to resolute_operator;
grant select on intents, attempts, observations, intent_events, decisions to resolute_operator;
grant insert on observations, intent_events, decisions to resolute_operator;
grant update (status, version, reason, rejection, provider_id, attempt_count, unknown_since,
  review_since, next_step_at, discrepancy_since, discrepancy_reason, updated_at,
  finalised_at) on intents to resolute_operator;
grant update (verdict, resolved_at) on attempts to resolute_operator;

create policy operator_acts_for_all on intents to resolute_operator using (true) with check (true);
create policy operator_acts_for_all on intent_events to resolute_operator
  using (true) with check (true);
create policy operator_acts_for_all on attempts to resolute_operator using (true) with check (true);
-- Whoever locks an intent hears the notifications that wait for it.
grant select, update (intent, matched_at) on provider_notifications to resolute_operator;
create policy operator_acts_for_all on provider_notifications to resolute_operator
  using (true) with check (true);
-- Of evidence it may add its own word and what was notified, never what the provider answered.
create policy operator_sees_all on observations for select to resolute_operator using (true);
create policy operator_says_what_it_decided on observations for insert to resolute_operator
  with check (source in ('operator', 'notification'));
create policy operator_acts_for_all on decisions to resolute_operator using (true) with check (true);
