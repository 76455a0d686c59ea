/**
 * The runs of a namespace, as they are now: by default every open run and the youngest closed ones.
 * Reading a run changes nothing in it.
 */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type NamedHistory } from './replay-report';

/** Which runs are fetched. */
export interface Selection {
  /** A list query instead of the default one. */
  readonly query?: string;
  /** Most closed runs of the default selection, youngest first; a query of its own has no bound. */
  readonly closed: number;
}

const OPEN = 'ExecutionStatus = "Running"';
const CLOSED = 'ExecutionStatus != "Running"';

/** Fetches the selected runs one after the other. A run that retention removed meanwhile is left out. */
export async function* liveHistories(
  client: Client,
  selection: Selection,
): AsyncGenerator<NamedHistory> {
  if (selection.query !== undefined) {
    yield* fetched(client, selection.query, Number.MAX_SAFE_INTEGER);
    return;
  }
  yield* fetched(client, OPEN, Number.MAX_SAFE_INTEGER);
  yield* fetched(client, CLOSED, selection.closed);
}

async function* fetched(client: Client, query: string, most: number): AsyncGenerator<NamedHistory> {
  let count = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (count >= most) return;
    count += 1;
    try {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      yield { name: `${workflowId} (run ${runId})`, history };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
