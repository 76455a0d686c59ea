-- Purpose: a provider that is down is known to all workers, and shown to operators: while its circuit
-- is open nothing new is sent to it. One row a provider; no row, or open_until null: closed.
-- Lock: none beyond the new table. Reversible: drop it; then nothing is ever held. Breaking: no.

create table provider_circuits (
  provider text primary key,
  failures int not null default 0 check (failures >= 0),
  last_failed uuid,
  failed_at timestamptz,
  trips int not null default 0 check (trips >= 0),
  opened_at timestamptz,
  open_until timestamptz,
  open_for_ms int not null default 0 check (open_for_ms >= 0),
  probe_until timestamptz,
  why text,
  constraint open_circuit_has_times check ((opened_at is null) = (open_until is null)),
  constraint only_an_open_circuit_is_probed check (probe_until is null or open_until is not null)
);

-- An operator's decision is judged on the same journal, hold included (migration 0011).
grant select on provider_circuits to resolute_api, resolute_operator;
grant select, insert, update on provider_circuits to resolute_worker;
