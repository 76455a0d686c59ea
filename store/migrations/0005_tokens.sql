-- Purpose: tokens that can be named without being shown, and that end at a time: the old one of a
-- rotation works until then. Lock: brief, exclusive, on api_keys (small). Reversible: drop the columns
-- and restore the function of 0004. Breaking: no.

alter table api_keys
  add column id uuid not null default uuidv7() constraint token_is_named_once unique,
  add column expires_at timestamptz;

create or replace function find_caller (digest bytea)
returns table (tenant text, actor text, scopes text[], default_provider text)
language sql stable security definer set search_path = pg_catalog, public as $$
  select key.tenant, key.actor, key.scopes, tenants.default_provider
  from api_keys key left join tenants on tenants.id = key.tenant
  where key.token_digest = digest and key.revoked_at is null
    and (key.expires_at is null or key.expires_at > now())
$$;
