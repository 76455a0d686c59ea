/** Intents that ended some time ago, written as the owner: no test waits a year. */
import { type Status } from '../../domain/status';
import { type NewIntent, recordIntent } from '../../store/record-intent';
import { type FreshDatabase, newIntent } from './fresh-database';

/** The legal way to each status. */
const WAYS: Readonly<Record<Status, readonly Status[]>> = {
  accepted: [],
  executing: ['executing'],
  pending: ['executing', 'pending'],
  unknown: ['executing', 'unknown'],
  in_review: ['executing', 'in_review'],
  succeeded: ['executing', 'succeeded'],
  failed: ['failed'],
  canceled: ['canceled'],
};

/** What a test wants of it. */
export interface Ended {
  readonly status?: Status;
  /** Age of the outcome, where the status is one. */
  readonly daysAgo?: number;
  readonly intent?: Partial<NewIntent>;
}

/** Records it and moves it there; returns its id. */
export async function endedIntent(
  { api, owner }: FreshDatabase,
  { status = 'succeeded', daysAgo = 500, intent = {} }: Ended = {},
): Promise<string> {
  const { id } = (await recordIntent(api, newIntent(intent))).intent;
  for (const next of WAYS[status]) {
    await owner.query(
      `update intents set status = $2, version = version + 1,
         review_since = case when $2 = 'in_review' then now() end,
         unknown_since = case when $2 in ('unknown', 'in_review') then now() end,
         finalised_at = case when $2 in ('succeeded', 'failed', 'canceled')
           then now() - make_interval(days => $3) end
       where id = $1`,
      [id, next, daysAgo],
    );
  }
  return id;
}

/** The whole row, as SQL has it. */
export async function wholeRow(
  { owner }: FreshDatabase,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await owner.query<Record<string, unknown>>(
    'select * from intents where id = $1',
    [id],
  );
  return rows[0] ?? {};
}
