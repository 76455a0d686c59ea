-- Purpose: the reconcilers read providers' listings and join them with our intents. Lock: brief, on
-- attempts, for the index. Reversible: drop what it adds. Breaking: no.
--
-- A listing's place is kept per provider and kind of command, so that a pass may die anywhere: the same
-- page is read again, and what was found in it is known by then.

create table listing_places (
  provider text not null,
  kind text not null,
  -- The span that is being read; the next one begins where it ends.
  since timestamptz not null,
  until timestamptz not null,
  -- Where the last page ended; null before the first.
  cursor text check (length(cursor) between 1 and 255),
  is_read boolean not null default false,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (provider, kind),
  constraint span_has_a_length check (until > since),
  constraint read_span_has_no_cursor check (not is_read or cursor is null)
);

-- Effects under a reference of ours whose intent is not in this database: alarmed once, for a person.
create table orphan_effects (
  provider text not null,
  provider_id text not null check (length(provider_id) between 1 and 255),
  -- The intent that its reference names.
  about uuid not null,
  seen_at timestamptz not null default clock_timestamp(),
  constraint orphan_is_alarmed_once primary key (provider, provider_id)
);

create trigger orphans_are_never_deleted before delete on orphan_effects
  for each row execute function refuse_change();
create trigger orphans_never_change before update on orphan_effects
  for each row execute function refuse_change();

grant select, insert, update (since, until, cursor, is_read, updated_at) on listing_places
  to resolute_worker;
grant select, insert on orphan_effects to resolute_worker;

-- Attempts whose end came after the run had gone on without it: whom the auditor tells (store/untold.ts).
create index attempts_resolved_late on attempts (resolved_at)
  where resolved_at - send_deadline > interval '3 seconds';
