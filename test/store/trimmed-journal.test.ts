/**
 * A journal is loaded without what repeats itself, and nothing is decided otherwise than from the whole
 * one; however long an intent waits it stays far below what Temporal takes (2 MiB).
 */
import fc from 'fast-check';
import { type ProviderContract } from '../../domain/contract';
import { type Attempt, type Finding, type Journal, type Observation } from '../../domain/journal';
import { standing, type Standing } from '../../domain/standing';
import { loadedLittle, type LoadedRow, loadJournal, loadLittle } from '../../store/load-journal';
import { recordIntent } from '../../store/record-intent';
import { freshDatabase, type FreshDatabase, newIntent } from '../support/fresh-database';
import {
  ABSENT,
  answer,
  APPLIED,
  attempt,
  decided,
  DECLINED,
  FROZEN,
  FULL,
  LOOK_UP,
  lookUp,
  LOST,
  NOT_SENT,
  PENDING,
} from '../support/journal-of';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const WRONG: Finding = { kind: 'conflict', what: 'amount is 1001, expected 1000' };
const REVERTED: Finding = { kind: 'reverted', providerId: 'ch_1' };

/** Writes it down as it would have been written; answers the intent's row. */
async function written({ attempts, observations }: Journal, contract: ProviderContract) {
  const { intent } = await recordIntent(database.api, newIntent({ contract }));
  await database.owner.query(
    `insert into attempts (intent, effect, number, generation, provider_key, reference,
       request_digest, owner, opened_at, send_deadline, verdict, resolved_at)
     select $1, effect, number, generation, 'k', 'r', sha256('x'), 'test',
       to_timestamp("openedAt"::float8 / 1000), to_timestamp("sendDeadline"::float8 / 1000), verdict,
       case when verdict is not null then now() end
     from jsonb_to_recordset($2::jsonb) as one (effect text, number int, generation int,
       "openedAt" bigint, "sendDeadline" bigint, verdict text)`,
    [intent.id, JSON.stringify(attempts)],
  );
  await database.owner.query(
    `insert into observations (intent, effect, attempt, source, finding, asked_at, observed_at)
     select $1, effect, attempt, source, finding, to_timestamp("askedAt"::float8 / 1000),
       to_timestamp("observedAt"::float8 / 1000)
     from jsonb_to_recordset($2::jsonb) as one (effect text, attempt int, source text,
       finding jsonb, "askedAt" bigint, "observedAt" bigint)
     order by "observedAt"`,
    [intent.id, JSON.stringify(observations)],
  );
  return intent;
}

async function trimmed(whole: Journal, contract: ProviderContract): Promise<Journal> {
  const { journal } = await loadJournal(database.owner, await written(whole, contract));
  return { ...whole, attempts: journal.attempts, observations: journal.observations };
}

/** What it amounts to: the same contradiction told once or twice is one. */
function meaning({ belief, step, status, nextStepAt }: Standing) {
  const pieces = belief.kind === 'conflict' ? [...new Set(belief.pieces)].sort() : [];
  const proofs = belief.attempts.map(({ attempt: { effect, number }, proof }) => ({
    effect,
    number,
    proof,
  }));
  const next = step.kind === 'send' ? { number: step.number, generation: step.generation } : null;
  return { kind: belief.kind, pieces, proofs, step: step.kind, next, status, nextStepAt };
}

/** A long wait: look-ups in runs, answers and decisions between them. */
const turn = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('look-ups' as const),
      findings: fc.array(
        fc.constantFrom(ABSENT, LOST, PENDING, APPLIED, WRONG, DECLINED, REVERTED),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
      times: fc.integer({ min: 1, max: 90 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('attempt' as const),
      finding: fc.constantFrom(LOST, LOST, FROZEN, NOT_SENT, null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('decision' as const),
      decision: fc.constantFrom('applied' as const, 'not_applied' as const, 'retry' as const),
      override: fc.boolean(),
    }),
  },
);

interface Told {
  readonly whole: Journal;
  /** The last second. */
  readonly at: number;
}

function told(turns: readonly (typeof turn extends fc.Arbitrary<infer One> ? One : never)[]): Told {
  const attempts: Attempt[] = [];
  const observations: Observation[] = [];
  let at = 10;
  const open = (finding: Finding | null) => {
    const last = attempts.at(-1);
    if (last !== undefined && last.verdict === null)
      attempts[attempts.length - 1] = { ...last, verdict: 'superseded' };
    const verdict = finding === NOT_SENT ? 'not_sent' : null;
    const one = attempt(attempts.length + 1, at, { verdict });
    attempts.push(one);
    at += 3;
    if (finding !== null) observations.push(answer(one, at, finding));
  };
  open(LOST);
  for (const next of turns) {
    if (next.kind === 'attempt') open(next.finding);
    else if (next.kind === 'decision') {
      observations.push(
        decided(at, next.decision, { override: next.override, attempts: attempts.length }),
      );
    } else {
      const { findings, times } = next;
      const asked = Array.from(
        { length: times },
        (_none, time) => findings[time % findings.length],
      );
      observations.push(
        ...asked.flatMap((finding, time) =>
          finding === undefined ? [] : [lookUp(at + 60 * time, finding)],
        ),
      );
      at += 60 * times;
    }
    at += 7;
  }
  return {
    whole: {
      status: 'unknown',
      createdAt: 0,
      cancelRequestedAt: null,
      readAt: 0,
      attempts,
      observations,
    },
    at,
  };
}

it('whatever was left out of a long wait, the same follows from the rest', async () => {
  const contracts = fc.record({
    seesBackMs: fc.constantFrom('forever' as const, 600_000, 3_600_000, 5_400_000),
    absenceIsProof: fc.boolean(),
    isKeyed: fc.boolean(),
    isCanceled: fc.boolean(),
  });
  const turns = fc.array(turn, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      turns,
      contracts,
      fc.integer({ min: 0, max: 7_200 }),
      async (all, of, later) => {
        const { seesBackMs, absenceIsProof } = of;
        const contract: ProviderContract = {
          ...FULL,
          key: of.isKeyed ? FULL.key : null,
          lookUp: { ...LOOK_UP, seesBackMs, absenceIsProof },
        };
        const { whole: uncanceled, at } = told(all);
        const whole = { ...uncanceled, cancelRequestedAt: of.isCanceled ? 11_000 : null };
        const part = await trimmed(whole, contract);
        for (const now of [at * 1_000, (at + later) * 1_000]) {
          const policy = { attemptCap: 3 };
          const from = (journal: Journal) => meaning(standing({ journal, contract, policy, now }));
          expect(from(part)).toEqual(from(whole));
        }
      },
    ),
    { numRuns: 150 },
  );
});

/** What is loaded together with the lock. */
async function loadedWithLock(intent: Awaited<ReturnType<typeof written>>) {
  const { text, values } = loadLittle(intent.id);
  const { rows } = await database.owner.query<LoadedRow>(text, [...values]);
  return loadedLittle(intent, rows);
}

it('of an intent with little to tell the quick way loads what the other does, all of it', async () => {
  const few = fc
    .array(turn, { maxLength: 4 })
    .map((turns) =>
      turns.map((one) => (one.kind === 'look-ups' ? { ...one, times: 1 + (one.times % 7) } : one)),
    );
  let quick = 0;
  await fc.assert(
    fc.asyncProperty(few, async (turns) => {
      const { whole } = told(turns);
      const intent = await written(whole, FULL);
      const loaded = await loadedWithLock(intent);
      if (loaded === null) return;
      quick += 1;
      const { journal } = await loadJournal(database.owner, intent);
      expect({ ...loaded.journal, readAt: 0 }).toEqual({ ...journal, readAt: 0 });
      expect(loaded.journal.observations).toHaveLength(whole.observations.length);
    }),
    { numRuns: 60 },
  );
  expect(quick).toBeGreaterThan(40);
});

it('with much to tell the quick way steps back', async () => {
  const { whole } = told([{ kind: 'look-ups', findings: [ABSENT], times: 31 }]);
  expect(await loadedWithLock(await written(whole, FULL))).toBeNull();
});

it('the quick way tells the state of the circuit too', async () => {
  const intent = await written(told([]).whole, FULL);
  await database.owner.query(
    `insert into provider_circuits (provider, failures, last_failed, failed_at)
     values ($1, 2, $2, now()) on conflict (provider) do update set failures = 2`,
    [intent.provider, intent.id],
  );
  const [quick, slow] = [await loadedWithLock(intent), await loadJournal(database.owner, intent)];
  expect(quick?.circuit).toEqual(slow.circuit);
  expect(quick?.circuit?.failures).toBe(2);
});

it.each([
  ['pending', [PENDING]],
  ['applied beside a contradiction', [APPLIED, WRONG]],
  ['absent and unknown by turns', [ABSENT, LOST]],
])('a month of look-ups that say %s stays small', async (_what, findings) => {
  const { whole } = told([{ kind: 'look-ups', findings, times: 43_200 }]);
  const part = await trimmed(whole, FULL);
  expect(JSON.stringify(part).length).toBeLessThan(30_000);
});

it('a month of attempts that never left stays small, and counts on', async () => {
  const attempts = Array.from({ length: 43_200 }, (_none, index) =>
    attempt(index + 1, index * 60, { verdict: 'not_sent' }),
  );
  const observations = attempts.map((one) => answer(one, one.openedAt / 1_000 + 1, NOT_SENT));
  const whole: Journal = {
    ...told([]).whole,
    attempts,
    observations,
  };
  const part = await trimmed(whole, FULL);
  expect(JSON.stringify(part).length).toBeLessThan(30_000);
  const now = 43_200 * 60_000;
  const from = (journal: Journal) =>
    standing({ journal, contract: FULL, policy: { attemptCap: 3 }, now });
  expect(from(part).step).toEqual({ kind: 'send', effect: 'apply', number: 43_201, generation: 1 });
  expect(from(part).step).toEqual(from(whole).step);
});
