/**
 * `npm run demo`: four charges, three of them through trouble, each shown beside the provider's
 * ledger. A smoke test as well: exit code 1 where one of them does not end as promised. With `--keep`
 * a stack that the demo started goes on running until Ctrl-C, so that its links can be opened.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { inspect } from 'node:util';
import pc from 'picocolors';
import { StartError } from '../start-error';
import { openStack, type DemoStack } from './demo-stack';
import { DemoError } from './demo-error';
import { callsOf, complaints, performStory, type PlayedStory } from './perform-story';
import { STORIES } from './stories';
import { timeline } from './timeline';

/** The reason to end when a person asked for it. */
const ASKED = Symbol('asked to stop');

const KEPT = 'The stack goes on running; Ctrl-C stops it.';
const STOPPING = 'Stopping the stack. "npm start" runs it again on the same data.';

async function main(args: readonly string[]): Promise<number> {
  const stray = args.find((argument) => argument !== '--keep');
  if (stray !== undefined) throw new DemoError(`Unknown argument ${stray}. Usage: demo [--keep]`);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => ending.abort(ASKED));
  }
  const ended = once(ending.signal, 'abort').then(() => {
    if (ending.signal.reason !== ASKED) throw ending.signal.reason;
    return 130;
  });
  const { opened, close } = openStack((error) => ending.abort(error));
  try {
    const code = await Promise.race([ended, opened.then(play)]);
    if (ending.signal.aborted || !(await opened).isOurs) return code;
    console.log(args.includes('--keep') ? KEPT : STOPPING);
    if (args.includes('--keep')) await ended;
    return code;
  } finally {
    await close();
  }
}

/** Plays all stories and says how they ended; the exit code. */
async function play(stack: DemoStack): Promise<number> {
  const run = `demo-${randomBytes(4).toString('hex')}`;
  const played: PlayedStory[] = [];
  for (const [index, story] of STORIES.entries()) {
    const title = pc.bold(`${index + 1}. ${story.title}`);
    console.log(`\n${title} (${story.provider})\n${story.setting}\n`);
    const one = await performStory(story, stack, `${run}-${index + 1}`);
    console.log(timeline(one).join('\n'));
    console.log(`\nWeb UI: ${one.answer.intent.links.desk}`);
    played.push(one);
  }
  console.log(`\n${played.map(summary).join('\n')}\n`);
  const wrong = played.flatMap(complaints);
  wrong.forEach((sentence) => console.error(pc.red(sentence)));
  if (wrong.length === 0) console.log('As promised: four charges, four effects, none twice.');
  return wrong.length === 0 ? 0 : 1;
}

function summary(
  { story, answer, ledger, requestedAt, answeredAt }: PlayedStory,
  index: number,
): string {
  const seconds = ((answeredAt - requestedAt) / 1_000).toFixed(1);
  const calls = `${callsOf(ledger, 'charge')} sent, ${callsOf(ledger, 'query')} asked`;
  const effects = pc.bold(`effects in ledger = ${ledger.effects.length}`);
  return [
    `${index + 1}. ${story.title.padEnd(36)} ${answer.intent.status} in ${seconds} s; ${calls}; ${effects}`,
    `   ${answer.intent.links.desk}`,
  ].join('\n');
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const expected = error instanceof DemoError || error instanceof StartError;
    console.error(pc.red(expected ? error.message : inspect(error)));
    process.exit(1);
  },
);
