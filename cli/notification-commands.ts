/** `notification list`: what providers told and nothing was made of, for a person to look into. */
import { type Command } from 'commander';
import { listUnmatched, type UnmatchedNotification } from '../store/unmatched-notifications';
import { json, minute, type OutputOptions, table } from './output';
import { type Surroundings } from './program';

/** The oldest are the ones to worry about; more would be read by nobody. */
const SHOWN = 100;

/** Adds it. */
export function addNotificationCommands(
  program: Command,
  { write, withStore }: Surroundings,
): void {
  const notification = program
    .command('notification')
    .description('What providers tell of their own accord');

  notification
    .command('list')
    .description(`list the ${SHOWN} oldest that wait for an intent to match`)
    .option('--json', 'answer with JSON')
    .action(async (options: OutputOptions) => {
      const waiting = await withStore((pool) => listUnmatched(pool, SHOWN));
      write(options.json ? json(waiting.map(notificationJson)) : notificationTable(waiting));
    });
}

function notificationJson(one: UnmatchedNotification) {
  return {
    provider: one.provider,
    event_id: one.eventId,
    type: one.type,
    about: one.about,
    provider_id: one.providerId,
    received_at: one.receivedAt.toISOString(),
  };
}

function notificationTable(waiting: readonly UnmatchedNotification[]): string {
  return table(
    ['provider', 'event', 'type', 'intent that it names', 'effect there', 'received'],
    waiting.map((one) => [
      one.provider,
      one.eventId,
      one.type,
      one.about ?? 'none of ours',
      one.providerId ?? '',
      minute(one.receivedAt),
    ]),
  );
}
