/** What is handed on from the start of a run to its activities, and into its log lines. */
import { type WorkflowInterceptors } from '@temporalio/workflow';
import { nameIntentOf } from '../../telemetry/watch-activities';
import { interceptors } from '../../workflows/carry-trace';

const HEADER = { data: new Uint8Array([1]) };
const INTENT = '0199-intent';

/** The headers with which an activity is scheduled in a run that was started with `headers`. */
async function scheduled(headers: Record<string, typeof HEADER>): Promise<unknown> {
  const made: WorkflowInterceptors = interceptors();
  const seen: unknown[] = [];
  const input = { activityType: 'send', args: [], options: {}, headers: {}, seq: 1 };
  await made.inbound?.[0]?.execute?.({ args: ['no input of ours'], headers }, () =>
    Promise.resolve(
      made.outbound?.[0]?.scheduleActivity?.(input, (next) => {
        seen.push(next.headers);
        return Promise.resolve();
      }),
    ),
  );
  return seen[0];
}

it('a run that is traced hands its header to its activities, and nothing else of the headers', async () => {
  expect(await scheduled({ '_tracer-data': HEADER, other: HEADER })).toEqual({
    '_tracer-data': HEADER,
  });
});

it('a run that is not traced adds no header', async () => {
  expect(await scheduled({})).toEqual({});
});

it("a workflow's lines carry its intent's id", async () => {
  const made: WorkflowInterceptors = interceptors();
  const lines: unknown[] = [];
  await made.inbound?.[0]?.execute?.({ args: [{ intentId: INTENT }], headers: {} }, () => {
    const attributes = made.outbound?.[0]?.getLogAttributes?.({ workflowId: 'w' }, (next) => next);
    return Promise.resolve(lines.push(attributes));
  });
  expect(lines).toEqual([{ workflowId: 'w', intent: INTENT }]);
});

it("an activity's lines carry its intent's id", async () => {
  const { inbound, outbound } = nameIntentOf();
  await inbound?.execute?.({ args: [{ intentId: INTENT }], headers: {} }, () => Promise.resolve());
  expect(outbound?.getLogAttributes?.({ a: 1 }, (next) => next)).toEqual({ a: 1, intent: INTENT });
});
