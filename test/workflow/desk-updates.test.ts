/**
 * The updates of the Web UI against a real run: forms good and bad, decisions, look-ups, cancels. A
 * refused form changes nothing and never makes a workflow task fail (B124).
 */
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { INTENT_ATTENTION } from '../../orchestration/search-attributes';
import { wakeSettlement } from '../../orchestration/start-settlement';
import { approveDecision } from '../../store/approve-decision';
import { readDecisions } from '../../store/read-decisions';
import { freshWorld, type StartedIntent, type World } from '../support/fresh-world';
import { completedTasks, latestRun, resetRun } from '../support/reset-run';
import { until } from '../support/until';

let world: World;
beforeAll(async () => {
  world = await freshWorld();
  await world.worker();
});
afterAll(() => world.close());

function handleOf({ workflowId }: StartedIntent) {
  return world.client.workflow.getHandle(workflowId);
}

/** Sends an update with these arguments: one payload, or none. */
function update(intent: StartedIntent, name: string, ...args: unknown[]): Promise<unknown> {
  const handle = handleOf(intent);
  return args.length === 0
    ? handle.executeUpdate(name)
    : handle.executeUpdate(name, { args: [args[0]] });
}

/** Why it was refused: the sentence, and the help below it. */
async function refusalOf(sent: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await sent.catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error('it was not refused');
  if (!(error.cause instanceof ApplicationFailure)) throw new Error('not a refusal of ours');
  return error.cause;
}

/** An intent on a provider that cannot be asked; the answer was lost. */
async function inReview(
  source: string,
  more: { readonly effect?: boolean; readonly approvalThreshold?: number } = {},
): Promise<StartedIntent> {
  const what = more.effect === false ? 'timeout-before-effect' : 'timeout-after-effect';
  await world.simulator.programme({ on: 'charge', do: what, match: { source } });
  const intent = await world.start('sim-blind', { source, ...more });
  expect((await world.untilEnded(intent.id)).status).toBe('in_review');
  // The row says so before the run knows.
  await until('the details offer a decision', async () =>
    (await details(intent)).includes('Legal now') ? true : undefined,
  );
  return intent;
}

function form(intent: StartedIntent, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    decision_id: `${intent.id}-1`,
    operator: 'olive',
    decision: 'applied',
    evidence: 'line 7 of the statement',
    reason: 'the payer was charged',
    ...changes,
  };
}

async function details(intent: StartedIntent): Promise<string> {
  const { currentDetails } = await handleOf(intent).query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  return currentDetails;
}

async function attention(intent: StartedIntent): Promise<string | undefined> {
  const { typedSearchAttributes } = await handleOf(intent).describe();
  return typedSearchAttributes.get(INTENT_ATTENTION);
}

async function charges({ source }: StartedIntent) {
  const { effects, calls } = await world.simulator.ledger(source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

it.each([
  ['an object', (it: object) => it],
  ['the JSON text of one', (it: object) => JSON.stringify(it, null, 2)],
])('decide takes %s, as a claim, and the run ends', async (title, shape) => {
  const intent = await inReview(`card_desk_${title.length}`);
  expect(await details(intent)).toContain(`"decision_id": "${intent.id}-1"`);
  const answer = await update(intent, 'decide', shape(form(intent)));
  expect(answer).toMatchObject({ decisionId: `${intent.id}-1`, state: 'effective' });
  expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
  expect(await readDecisions(world.database.api, intent.id, 'every-tenant')).toMatchObject([
    { operator: 'olive', authenticated: false, evidence: 'line 7 of the statement' },
  ]);
  expect(await charges(intent)).toEqual({ effects: 1, charges: 1 });
  const last = await details(intent);
  expect(last).toMatch(/### succeeded[^]*operator: applied/);
  expect(last).not.toContain('Legal now');
  expect(await attention(intent)).toBeUndefined();
});

describe('forms that are refused', () => {
  let intent: StartedIntent;
  beforeAll(async () => {
    intent = await inReview('card_desk_forms');
  });

  it.each<[string, unknown[], RegExp]>([
    ['nothing', [], /^Nothing was sent/],
    ['null', [null], /^null was sent/],
    ['a list', [[]], /^A list was sent/],
    ['a list with a form in it', [[{ decision: 'applied' }]], /^A list was sent/],
    ['a number', [5], /^5 was sent/],
    ['text', ['applied'], /^A text was sent/],
    ['empty text', [''], /^A text was sent/],
    ['the text of a list', ['[]'], /^A list was sent/],
    ['an empty object', [{}], /"decision_id" is missing/],
    ['an unknown member', [{ verdict: 'charged' }], /"verdict" is not a member/],
  ])('B124: decide with %s', async (_title, args, why) => {
    const refusal = await refusalOf(update(intent, 'decide', ...args));
    expect(refusal.message).toMatch(why);
    expect(refusal.stack).toMatch(/Update "decide"[^]*\n {2}"decision": "applied"[^]*Legal now/);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no operator', { operator: undefined }, /"operator" is missing/],
    ['the template’s operator', { operator: 'your name' }, /"operator" is missing/],
    ['no evidence', { evidence: undefined }, /"evidence" is missing/],
    ['the template’s evidence', { evidence: 'what proves it' }, /"evidence" is missing/],
    ['a verdict of its own', { decision: 'maybe' }, /must be one of/],
    ['an id with a blank', { decision_id: 'my decision' }, /"decision_id" must be/],
    ['an override in words', { override: 'yes' }, /"override" must be/],
    ['half a character', { evidence: 'x\ud800' }, /"evidence" must be text/],
  ])('B129: decide with %s', async (_title, changes, why) => {
    const sent = update(intent, 'decide', form(intent, changes));
    expect((await refusalOf(sent)).message).toMatch(why);
  });

  it('approve never works here, and says where it does', async () => {
    const refusal = await refusalOf(update(intent, 'approve', { decision_id: 'd1' }));
    expect(refusal.message).toMatch(/^An approval needs an authenticated person/);
    expect(refusal.stack).toContain(`POST /v1/intents/${intent.id}/decisions/`);
    await refusalOf(update(intent, 'approve'));
  });

  it('lookUpNow says that this provider cannot be asked; cancel wants a name', async () => {
    expect((await refusalOf(update(intent, 'lookUpNow'))).message).toMatch(/cannot be asked/);
    expect((await refusalOf(update(intent, 'lookUpNow', 5))).message).toMatch(/^5 was sent/);
    expect((await refusalOf(update(intent, 'cancel'))).message).toMatch(/^Nothing was sent/);
  });

  it('none of them was recorded, made a task fail or left an event; a good one still works', async () => {
    expect(await readDecisions(world.database.api, intent.id, 'every-tenant')).toEqual([]);
    await update(intent, 'decide', form(intent));
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
    const { events } = await handleOf(intent).fetchHistory();
    expect((events ?? []).filter((one) => one.workflowTaskFailedEventAttributes)).toEqual([]);
    expect(
      (events ?? []).filter((one) => one.workflowExecutionUpdateAcceptedEventAttributes),
    ).toHaveLength(1);
  });
});

it('what the store refuses is refused with its sentence, on record, and the template moves on', async () => {
  const intent = await inReview('card_desk_refused');
  const overriding = form(intent, { override: true });
  const refusal = await refusalOf(update(intent, 'decide', overriding));
  expect(refusal.message).toMatch(/two authenticated operators/);
  expect(refusal.stack).toContain(`${intent.id}-2`);
  expect((await refusalOf(update(intent, 'decide', form(intent)))).message).toMatch(
    /Another decision has this decision_id/,
  );
  expect(await readDecisions(world.database.api, intent.id, 'every-tenant')).toMatchObject([
    { state: 'refused' },
  ]);
});

it('above the threshold it only proposes; a second operator approves with a token', async () => {
  const intent = await inReview('card_desk_proposed', { approvalThreshold: 500 });
  expect(await update(intent, 'decide', form(intent))).toMatchObject({ state: 'proposed' });
  await until('the row asks for a second person', async () =>
    (await attention(intent)) === 'proposal' ? true : undefined,
  );
  expect(await details(intent)).toMatch(/proposed applied/);
  const decisionId = `${intent.id}-1`;
  const approval = { intentId: intent.id, decisionId, operator: 'oscar' };
  expect((await approveDecision(world.database.api, approval)).kind).toBe('approved');
  const row = await world.read(intent.id);
  await wakeSettlement(world.client, { ...row, intentId: row.id });
  expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
});

it('B123: a decision that a reset sends again has the same answer and no second effect', async () => {
  const intent = await inReview('card_desk_reset', { effect: false });
  const first = await latestRun(world.client, intent.workflowId);
  await update(intent, 'decide', form(intent, { decision: 'retry' }));
  expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
  expect(await charges(intent)).toEqual({ effects: 1, charges: 2 });
  for (const eventId of await completedTasks(world.client, first)) {
    await resetRun(world.client, first, eventId);
    expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
  }
  expect(await readDecisions(world.database.api, intent.id, 'every-tenant')).toHaveLength(1);
  expect(await charges(intent)).toEqual({ effects: 1, charges: 2 });
});

it('lookUpNow asks at once, long before the schedule', async () => {
  const source = 'card_desk_look_up';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await world.simulator.programme({ on: 'query', do: 'timeout', times: 1, match: { source } });
  const intent = await world.start('sim-lookup', { source, scheduleMs: [600_000] });
  await until('the first look-up came to nothing', async () => {
    const { observations } = await handleOf(intent).query<{ observations: { source: string }[] }>(
      'journal',
    );
    return observations.some((one) => one.source === 'look_up') ? true : undefined;
  });
  expect((await world.read(intent.id)).status).toBe('unknown');
  await update(intent, 'lookUpNow', { operator: 'olive' });
  expect(await handleOf(intent).result()).toEqual({ outcome: 'succeeded' });
  expect(await charges(intent)).toEqual({ effects: 1, charges: 1 });
});

it('cancel is the cancel of the API, by somebody who is only claimed', async () => {
  const source = 'card_desk_cancel';
  await world.simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  await world.simulator.programme({ on: 'query', do: 'timeout', times: 1, match: { source } });
  const intent = await world.start('sim-lookup', { source });
  await until('it was sent', async () => ((await charges(intent)).charges > 0 ? true : undefined));
  await update(intent, 'cancel', { operator: 'olive' });
  expect(await handleOf(intent).result()).toEqual({ outcome: 'canceled' });
  const { effects } = await world.simulator.ledger(source);
  expect(effects.map((one) => one.status)).toEqual(['voided', 'succeeded']);
  expect((await world.read(intent.id)).cancelRequestedBy).toMatch(/^olive .*claimed/);
});
