-- Purpose: least privilege. The roles themselves (resolute_api, resolute_worker) are made by
-- store/roles.ts, since passwords are no part of a migration. Lock: none. Breaking: no.
-- The api records and reads; only the worker moves an intent. Neither owns a table.

grant usage on schema public to resolute_api, resolute_worker;

grant select on tenants, api_keys to resolute_api;
grant select, insert on intents, intent_events to resolute_api;
grant select on attempts, observations, decisions to resolute_api;
grant select, insert on provider_notifications to resolute_api;

grant select on tenants to resolute_worker;
grant select on intents, decisions to resolute_worker;
grant update (status, version, reason, rejection, provider_id, attempt_count, unknown_since,
  review_since, next_step_at, audited_at, discrepancy_since, discrepancy_reason, updated_at,
  finalised_at) on intents to resolute_worker;
grant select, insert on attempts, observations, intent_events to resolute_worker;
grant update (verdict, resolved_at) on attempts to resolute_worker;
