-- Purpose: what no program may do, whatever its code says: leave a final state, skip a version,
-- rewrite evidence. Lock: brief, on the tables named. Reversible: drop the triggers. Breaking: no.

-- The same table as TRANSITIONS in domain/status.ts; test/store/transition-table.test.ts compares.
create function intent_may_move (old_status text, new_status text) returns boolean
language sql immutable as $$
  select old_status = new_status or new_status = any (case old_status
    when 'accepted' then array['executing', 'in_review', 'failed', 'canceled']
    when 'executing' then array['accepted', 'pending', 'unknown', 'in_review', 'succeeded', 'failed', 'canceled']
    when 'pending' then array['unknown', 'in_review', 'succeeded', 'failed', 'canceled']
    when 'unknown' then array['accepted', 'executing', 'pending', 'in_review', 'succeeded', 'failed', 'canceled']
    when 'in_review' then array['accepted', 'executing', 'pending', 'unknown', 'succeeded', 'failed', 'canceled']
    else array[]::text[] end)
$$;

create function guard_intent_update () returns trigger language plpgsql as $$
begin
  if not intent_may_move(old.status, new.status) then
    raise exception 'inv6_final_state_is_never_left: % to %', old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.status <> old.status and new.version <> old.version + 1 then
    raise exception 'inv7_version_guards_status: version % to %', old.version, new.version
      using errcode = 'check_violation';
  end if;
  if (new.tenant, new.operation, new.key_digest, new.fingerprint, new.workflow_id, new.created_at)
     is distinct from
     (old.tenant, old.operation, old.key_digest, old.fingerprint, old.workflow_id, old.created_at)
  then
    raise exception 'inv1_identity_never_changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_intent_update before update on intents
  for each row execute function guard_intent_update();

create function refuse_change () returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
create trigger observations_are_append_only before update or delete on observations
  for each row execute function refuse_change();
create trigger decisions_are_append_only before update or delete on decisions
  for each row execute function refuse_change();
create trigger intents_are_never_deleted before delete on intents
  for each row execute function refuse_change();
create trigger attempts_are_never_deleted before delete on attempts
  for each row execute function refuse_change();
