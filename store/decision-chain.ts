/**
 * The chain that decisions form: each row's hash covers its own facts and the hash of the row before
 * it, over the whole table. A row that was changed, dropped, added or moved later breaks every link
 * behind it, also in an exported copy. Rows cut off the end leave no trace in what remains: compare the
 * head with one that was noted earlier.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { DECISION_COLUMNS, type DecisionFacts, type DecisionRow } from './decision-row';
import { type Queryable } from './pool';

/** Hash before the first row. */
const GENESIS = Buffer.alloc(32);

/** Taken after the intent's row lock, never before it, so that two writers cannot wait in a ring. */
const CHAIN_LOCK = 7_236_174_656;

/** What is appended; place and hashes follow from the chain. */
export type NewEntry = Omit<DecisionFacts, 'position'>;

/**
 * Appends a row. Race: two transactions append at once. The lock lets one read the last row and commit;
 * the other reads afterwards, in a new snapshot, and goes behind it. Without the lock the unique
 * `previous_hash` would refuse it: the chain never forks.
 */
export async function appendToChain(tx: Queryable, entry: NewEntry): Promise<DecisionRow> {
  await tx.query('select pg_advisory_xact_lock($1)', [CHAIN_LOCK]);
  const { rows } = await tx.query<{ position: number; hash: Buffer }>({
    name: 'last-decision',
    text: 'select position, hash from decisions order by position desc limit 1',
  });
  const [last] = rows;
  const facts = { ...entry, position: (last?.position ?? 0) + 1 };
  const previousHash = last?.hash ?? GENESIS;
  const row = { ...facts, previousHash, hash: hashOf(facts, previousHash) };
  await insert(tx, row);
  return row;
}

async function insert(tx: Queryable, row: DecisionRow): Promise<void> {
  await tx.query({
    name: 'append-decision',
    text: `insert into decisions (position, id, intent, kind, approves, override, operator,
        authenticated, evidence, reason, attempts, state, refusal_code, refusal_detail, decided_at,
        closes, previous_hash, hash)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    values: [
      row.position,
      row.id,
      row.intent,
      row.kind,
      row.approves,
      row.override,
      row.operator,
      row.authenticated,
      row.evidence,
      row.reason,
      row.attempts,
      row.state,
      row.refusalCode,
      row.refusalDetail,
      row.decidedAt,
      row.closes,
      row.previousHash,
      row.hash,
    ],
  });
}

/** SHA-256 over the canonical form (RFC 8785) of every fact and the hash before. */
function hashOf(facts: DecisionFacts, previousHash: Buffer): Buffer {
  const canonical = canonicalize(plain(facts, previousHash));
  if (canonical === undefined) throw new Error('a decision without a canonical form');
  return createHash('sha256').update(canonical).digest();
}

/** The facts as they are hashed and exported: plain JSON, times in milliseconds with Z. */
function plain(facts: DecisionFacts, previousHash: Buffer) {
  return {
    position: facts.position,
    decision_id: facts.id,
    intent: facts.intent,
    kind: facts.kind,
    approves: facts.approves,
    override: facts.override,
    operator: facts.operator,
    authenticated: facts.authenticated,
    evidence: facts.evidence,
    reason: facts.reason,
    attempts: facts.attempts,
    state: facts.state,
    refusal_code: facts.refusalCode,
    refusal_detail: facts.refusalDetail,
    decided_at: facts.decidedAt.toISOString(),
    // Rows of earlier releases were hashed without this member.
    ...(facts.closes !== null && { closes: facts.closes }),
    previous_hash: previousHash.toString('hex'),
  };
}

/** One row of an export, to be written as one line of JSON. */
export type ExportedDecision = ReturnType<typeof exported>;

function exported(row: DecisionRow) {
  return { ...plain(row, row.previousHash), hash: row.hash.toString('hex') };
}

const PAGE = 500;

/** The whole chain, first to last, as it is exported; run by the owner of the tables. */
export async function* exportChain(db: Queryable): AsyncGenerator<ExportedDecision> {
  let after = 0;
  for (;;) {
    const { rows } = await db.query<DecisionRow>(
      `select ${DECISION_COLUMNS} from decisions where position > $1 order by position limit ${PAGE}`,
      [after],
    );
    for (const row of rows) yield exported(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

/** What a verification found; `head`: the last hash, to be noted and compared with later ones. */
export type ChainVerdict =
  | { readonly kind: 'whole'; readonly rows: number; readonly head: string }
  | {
      readonly kind: 'broken';
      readonly position: number;
      readonly decisionId: string;
      readonly why: string;
    };

/** Follows the links and names the first row that breaks one; of the table, or of an exported copy. */
export async function verifyChain(
  rows: AsyncIterable<ExportedDecision> | Iterable<ExportedDecision>,
): Promise<ChainVerdict> {
  let count = 0;
  let head = GENESIS.toString('hex');
  for await (const row of rows) {
    count += 1;
    const why = faultOf(row, { position: count, head });
    if (why !== null) {
      return { kind: 'broken', position: row.position, decisionId: row.decision_id, why };
    }
    head = row.hash;
  }
  return { kind: 'whole', rows: count, head };
}

function faultOf(
  { hash, ...facts }: ExportedDecision,
  expected: { readonly position: number; readonly head: string },
): string | null {
  if (facts.position !== expected.position) {
    return `it stands at place ${facts.position}, expected was ${expected.position}`;
  }
  if (facts.previous_hash !== expected.head) return 'it does not follow the row before it';
  const canonical = canonicalize(facts) ?? '';
  const computed = createHash('sha256').update(canonical).digest('hex');
  return computed === hash ? null : 'its facts are not those that were hashed';
}
