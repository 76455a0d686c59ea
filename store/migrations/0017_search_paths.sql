-- Purpose: functions that run as their owner, or that guard a rule, find our tables and no other ones.
-- Lock: none on tables. Reversible: alter them back. Breaking: no.
--
-- Where a search path does not name pg_temp it is searched first, before pg_catalog: whoever may make
-- temporary tables could put one in the place of api_keys and so be anybody, or in the place of intents
-- and so draw more than there is. Named last it comes last. That the roles can make none at all is seen
-- to at each migration (store/roles.ts), as a restored database has forgotten it.

alter function find_caller (bytea) set search_path = pg_catalog, public, pg_temp;
alter function take_in_notification (text, text, text, uuid, text, jsonb, bytea)
  set search_path = pg_catalog, public, pg_temp;
alter function open_desk_session (bytea, bytea, interval)
  set search_path = pg_catalog, public, pg_temp;
alter function find_desk_operator (bytea) set search_path = pg_catalog, public, pg_temp;
alter function end_desk_session (bytea) set search_path = pg_catalog, public, pg_temp;

-- Triggers run as whoever writes, with that session's path.
alter function guard_draw () set search_path = pg_catalog, public, pg_temp;
alter function guard_decision () set search_path = pg_catalog, public, pg_temp;
alter function follow_the_event_before () set search_path = pg_catalog, public, pg_temp;
