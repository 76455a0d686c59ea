-- Purpose: cancel (rule 8). A pending intent whose cancel was accepted may turn out applied and is
-- then undone, so it moves to executing; the api role may record the request, nothing else.
-- Lock: none beyond the function. Reversible: yes. Breaking: no.

create or replace function intent_may_move (old_status text, new_status text) returns boolean
language sql immutable as $$
  select old_status = new_status or new_status = any (case old_status
    when 'accepted' then array['executing', 'in_review', 'failed', 'canceled']
    when 'executing' then array['accepted', 'pending', 'unknown', 'in_review', 'succeeded', 'failed', 'canceled']
    when 'pending' then array['executing', 'unknown', 'in_review', 'succeeded', 'failed', 'canceled']
    when 'unknown' then array['accepted', 'executing', 'pending', 'in_review', 'succeeded', 'failed', 'canceled']
    when 'in_review' then array['accepted', 'executing', 'pending', 'unknown', 'succeeded', 'failed', 'canceled']
    else array[]::text[] end)
$$;

grant update (cancel_requested_at, next_step_at) on intents to resolute_api;
