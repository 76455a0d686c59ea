/** What a run does with readers of an intent in doubt, whoever sends how many of their signals. */
import { type Journal } from '../../domain/journal';
import { LOOK_UP } from '../support/journal-of';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { until } from '../support/until';

jest.setTimeout(60_000);

const ON_READ_MS = 1_500;
const SLOW = { ...LOOK_UP, lagMs: 200, scheduleMs: [100, 600_000], onReadMs: ON_READ_MS };

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

const handleOf = ({ workflowId }: StartedIntent) => world.client.workflow.getHandle(workflowId);

async function questions({ source }: StartedIntent): Promise<readonly number[]> {
  const { calls } = await world.simulator.ledger(source);
  return calls.filter(({ call }) => call === 'query').map(({ at }) => Date.parse(at));
}

/** Landed, its answer lost, and the two scheduled questions left without an answer. */
async function inDoubt(source: string, lookUp = SLOW): Promise<StartedIntent> {
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await world.simulator.programme({
    on: 'query',
    do: 'timeout',
    times: 'always',
    match: { source },
  });
  const intent = await world.start('sim-lookup', {
    source,
    patienceMs: 600_000,
    contract: { lookUp },
  });
  await until('both scheduled look-ups came to nothing', async () => {
    const { observations } = await handleOf(intent).query<Journal>('journal');
    return observations.filter((one) => one.source === 'look_up').length === 2 || undefined;
  });
  return intent;
}

it('the readers of ten gateways have the provider asked at most once in the contract’s time', async () => {
  const intent = await inDoubt('card_many_readers');
  const asked = await until(
    'three questions of readers',
    async () => {
      await Promise.all(Array.from({ length: 10 }, () => handleOf(intent).signal('intentRead')));
      const times = await questions(intent);
      return times.length >= 5 ? times : undefined;
    },
    40_000,
  );
  const ofReaders = asked.slice(1);
  const pauses = ofReaders.slice(1).map((at, index) => at - (ofReaders[index] ?? 0));
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(ON_READ_MS - 50);
});

it('a reader who comes before the time costs the run no timer', async () => {
  const intent = await inDoubt('card_early_reader', { ...SLOW, onReadMs: 600_000 });
  const timers = async (): Promise<number> => {
    const { events } = await handleOf(intent).fetchHistory();
    return (events ?? []).filter((one) => one.timerStartedEventAttributes).length;
  };
  const before = await until('it waits for the next one', async () => {
    const started = await timers();
    return started > 1 ? started : undefined;
  });
  for (let reader = 0; reader < 5; reader += 1) await handleOf(intent).signal('intentRead');
  // Answered after the signals that came before it.
  await handleOf(intent).query('journal');
  expect(await timers()).toBe(before);
  expect(await questions(intent)).toHaveLength(2);
});
