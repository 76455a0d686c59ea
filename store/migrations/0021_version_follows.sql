-- Purpose: a standing that was derived from an older version is refused by the row itself, whatever it
-- changes. So it can be written together with COMMIT, by whoever does not wait for what became of it.
-- Lock: none on tables. Reversible: the function of 0002. Breaking: no.

create or replace function guard_intent_update () returns trigger language plpgsql as $$
begin
  if not intent_may_move(old.status, new.status) then
    raise exception 'inv6_final_state_is_never_left: % to %', old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.version - old.version not in (0, 1)
    or (new.status <> old.status and new.version = old.version)
  then
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
