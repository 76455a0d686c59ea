/** `list`: the queue as `/desk` shows it, oldest first; or the intents of one status, newest first. */
import { type Command, Option } from 'commander';
import { type IntentPage, type Queue } from '../../client/types';
import { CONCERN_NAMES, type Concern, CONCERNS } from '../../domain/concern';
import { STATUSES, type Status } from '../../domain/status';
import { moneyOf } from '../../operations/currency';
import { lasting } from '../../operations/lasting';
import { json, type OutputOptions, table } from '../output';
import { type DeskSurroundings } from '../program';
import { Refusal } from '../refusal';
import { count, intentId } from '../values';
import { ask } from './failure';
import { moment, printable } from './text';

interface ListOptions extends OutputOptions {
  readonly concern?: Concern;
  readonly status?: Status;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Adds it. */
export function addListCommand(program: Command, surroundings: DeskSurroundings): void {
  program
    .command('list')
    .description('what waits for operators, oldest first; or with --status any intents')
    .addOption(
      new Option('--concern <name>', 'only what waits for this')
        .choices(CONCERNS)
        .conflicts('status'),
    )
    .addOption(new Option('--status <name>', 'intents of this status').choices(STATUSES))
    .option('--limit <number>', 'how many at most: 500, with --status 100', count)
    .option('--cursor <id>', 'with --status: where to go on', intentId)
    .option('--json', 'answer with JSON')
    .action(async ({ concern, status, cursor, limit, json: asJson }: ListOptions) => {
      const asking = { surroundings, asJson };
      const most = limit === undefined ? {} : { limit };
      if (status === undefined) {
        if (cursor !== undefined)
          throw new Refusal('--cursor is for --status: the queue is short.');
        const only = concern === undefined ? {} : { concern };
        const queue = await ask(asking, (client) => client.queue({ ...only, ...most }));
        surroundings.write(asJson ? json(queue) : queueText(queue, new Date()));
        return;
      }
      const from = cursor === undefined ? {} : { cursor };
      const page = await ask(asking, (client) => client.list({ status, ...from, ...most }));
      surroundings.write(asJson ? json(page) : pageText(page));
    });
}

function queueText({ data, sums }: Queue, now: Date): string {
  if (data.length === 0) return 'Nothing waits for anybody.\n';
  const rows = data.map((one) => [
    lasting(new Date(one.since), now),
    CONCERN_NAMES[one.concern].toLowerCase(),
    moneyOf(one.amount, one.currency),
    one.id,
    `${one.tenant} ${one.reference}`,
    one.provider,
    one.discrepancy?.reason ?? one.reason,
  ]);
  const head = ['for', 'concern', 'amount', 'intent', 'tenant and reference', 'provider', 'why'];
  const totals = sums.map(({ concern, intents, amount, currency }) => {
    const money = currency === null ? '' : ` (${moneyOf(amount, currency)})`;
    return `${intents} ${CONCERN_NAMES[concern].toLowerCase()}${money}`;
  });
  return printable(`${table(head, rows)}In all: ${totals.join(', ')}.\n`);
}

function pageText({ data, next_cursor: cursor }: IntentPage): string {
  if (data.length === 0) return 'There are none.\n';
  const rows = data.map((one) => [
    moment(one.created_at),
    one.status,
    moneyOf(one.amount, one.currency),
    one.id,
    one.reference,
    one.provider,
    one.reason,
  ]);
  const head = ['created', 'status', 'amount', 'intent', 'reference', 'provider', 'why'];
  const more = cursor === null ? '' : `More: --cursor ${cursor}\n`;
  return printable(`${table(head, rows)}${more}`);
}
