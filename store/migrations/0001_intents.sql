-- Purpose: tenants, intents, attempts, observations, outbox, inbox, decisions.
-- Lock: none beyond the new tables. Reversible: drop schema. Breaking: no.
-- Constraint names carry the invariant that they keep (docs/ARCHITECTURE.md).

create table tenants (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  default_provider text not null,
  created_at timestamptz not null default now()
);

-- A token is 256 random bits; only its SHA-256 is kept, so a copy of this table opens nothing.
create table api_keys (
  token_digest bytea primary key check (length(token_digest) = 32),
  tenant text references tenants (id),
  actor text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- An operator belongs to no tenant; everybody else to exactly one.
  constraint inv11_tenant_or_operator check ((tenant is null) = ('operate' = any (scopes)))
);

create table intents (
  id uuid primary key default uuidv7(),
  tenant text not null references tenants (id),
  operation text not null,
  operation_version int not null,
  key_digest bytea not null check (length(key_digest) = 32),
  idempotency_key text check (length(idempotency_key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  fingerprint_version int not null,
  business_key text not null,
  params jsonb,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  provider text not null,
  provider_account text not null default 'default',
  provider_id text,
  contract jsonb not null,
  policy jsonb not null,
  status text not null default 'accepted' constraint status_is_known check (status in (
    'accepted', 'executing', 'pending', 'unknown', 'in_review', 'succeeded', 'failed', 'canceled')),
  version int not null default 1,
  reason text not null,
  rejection jsonb,
  attempt_count int not null default 0,
  unknown_since timestamptz,
  review_since timestamptz,
  next_step_at timestamptz,
  audited_at timestamptz,
  workflow_id text not null constraint workflow_names_one_intent unique
    check (length(workflow_id) <= 255),
  cancel_requested_at timestamptz,
  discrepancy_since timestamptz,
  discrepancy_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finalised_at timestamptz,
  purged_at timestamptz,
  constraint inv1_one_identity_one_intent unique (tenant, operation, key_digest),
  constraint inv6_final_has_time check (
    (finalised_at is not null) = (status in ('succeeded', 'failed', 'canceled'))),
  constraint review_has_time check ((review_since is not null) = (status = 'in_review')),
  constraint discrepancy_is_whole check (
    (discrepancy_since is null) = (discrepancy_reason is null)),
  constraint purged_only_when_final check (
    purged_at is null or status in ('succeeded', 'failed', 'canceled')),
  constraint params_until_purged check ((params is null) = (purged_at is not null))
);

create unique index business_key_is_taken_once on intents (tenant, operation, business_key)
  where status not in ('failed', 'canceled');
create index intents_newest on intents (tenant, id desc);
create index intents_unfinished on intents (audited_at nulls first, next_step_at)
  where status not in ('succeeded', 'failed', 'canceled');

create table attempts (
  intent uuid not null references intents (id),
  effect text not null constraint effect_is_known check (effect in ('apply', 'revert')),
  number int not null check (number >= 1),
  generation int not null check (generation >= 1),
  provider_key text not null,
  reference text not null,
  request_digest bytea not null check (length(request_digest) = 32),
  owner text not null,
  opened_at timestamptz not null,
  send_deadline timestamptz not null check (send_deadline > opened_at),
  verdict text constraint verdict_is_known check (
    verdict in ('applied', 'rejected', 'not_sent', 'absent', 'superseded')),
  resolved_at timestamptz,
  primary key (intent, effect, number),
  constraint resolved_has_time check ((verdict is null) = (resolved_at is null))
);
create unique index inv3_one_unresolved_attempt on attempts (intent, effect) where verdict is null;

create table observations (
  id bigint generated always as identity primary key,
  intent uuid not null references intents (id),
  effect text not null constraint observed_effect_is_known check (effect in ('apply', 'revert')),
  attempt int,
  source text not null constraint source_is_known check (
    source in ('response', 'look_up', 'notification', 'operator')),
  finding jsonb not null check (finding ? 'kind'),
  source_event_id text,
  asked_at timestamptz not null,
  observed_at timestamptz not null default clock_timestamp(),
  constraint asked_before_observed check (asked_at <= observed_at),
  foreign key (intent, effect, attempt) references attempts (intent, effect, number)
);
create index observations_of_intent on observations (intent, id);
create unique index one_answer_per_attempt on observations (intent, effect, attempt)
  where source = 'response';
create unique index source_event_once on observations (source, source_event_id)
  where source_event_id is not null;

create table intent_events (
  id bigint generated always as identity primary key,
  intent uuid not null references intents (id),
  tenant text not null,
  sequence int not null check (sequence >= 1),
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  constraint inv7_one_event_per_version unique (intent, sequence)
);

create table provider_notifications (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text not null,
  type text not null,
  body jsonb not null,
  intent uuid references intents (id),
  received_at timestamptz not null default now(),
  matched_at timestamptz,
  constraint notification_is_taken_once unique (provider, event_id)
);

create table decisions (
  id text primary key,
  intent uuid not null references intents (id),
  kind text not null constraint decision_is_known check (
    kind in ('applied', 'not_applied', 'retry', 'approve')),
  operator text not null,
  authenticated boolean not null,
  evidence text not null,
  reason text not null,
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null unique check (length(hash) = 32),
  decided_at timestamptz not null default now()
);
