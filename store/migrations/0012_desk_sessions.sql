-- Purpose: operators signed in to /desk, and an index for what they look at. Lock: brief, on intents,
-- for the index. Reversible: drop what it adds. Breaking: no.
--
-- A session stands for the token it was opened with: revoked, expired or not an operator's any more, the
-- token takes its sessions with it on the next request. Only digests are kept.

create table desk_sessions (
  session_digest bytea primary key check (length(session_digest) = 32),
  token_digest bytea not null references api_keys (token_digest) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint session_ends_within_a_day check (
    expires_at > created_at and expires_at <= created_at + interval '1 day')
);
create index desk_sessions_expired on desk_sessions (expires_at);

-- The api role can neither list sessions nor make one for a token that it was not shown.
create function open_desk_session (token bytea, session bytea, lasting interval) returns text
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
declare
  operator text;
begin
  select actor into operator from find_caller(token) where 'operate' = any (scopes);
  if operator is null then return null; end if;
  delete from desk_sessions where expires_at < now();
  insert into desk_sessions values (session, token, now(), now() + lasting);
  return operator;
end $$;

create function find_desk_operator (session bytea) returns text
language sql stable security definer set search_path = pg_catalog, public as $$
  select caller.actor
  from desk_sessions opened cross join lateral find_caller(opened.token_digest) caller
  where opened.session_digest = session and opened.expires_at > now()
    and 'operate' = any (caller.scopes)
$$;

create function end_desk_session (session bytea) returns void
language sql volatile security definer set search_path = pg_catalog, public as $$
  delete from desk_sessions where session_digest = session
$$;

revoke execute on function open_desk_session (bytea, bytea, interval) from public;
revoke execute on function find_desk_operator (bytea) from public;
revoke execute on function end_desk_session (bytea) from public;
grant execute on function open_desk_session (bytea, bytea, interval) to resolute_api;
grant execute on function find_desk_operator (bytea) to resolute_api;
grant execute on function end_desk_session (bytea) to resolute_api;

create index intents_discrepant on intents (discrepancy_since) where discrepancy_since is not null;
