/** Replays many histories and says which of them the code would break, and how. */
import { type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { type History, replayHistory } from './replay-history';

export interface NamedHistory {
  readonly name: string;
  readonly history: History;
}

export interface ReplayReport {
  readonly replayed: number;
  readonly broken: readonly { readonly name: string; readonly how: string }[];
}

/** Replays one after the other, so that a namespace of any size fits into memory. */
export async function replayAll(
  bundle: WorkflowBundleWithSourceMap,
  histories: Iterable<NamedHistory> | AsyncIterable<NamedHistory>,
): Promise<ReplayReport> {
  let replayed = 0;
  const broken: { name: string; how: string }[] = [];
  for await (const { name, history } of histories) {
    const verdict = await replayHistory(bundle, history);
    replayed += 1;
    if (verdict.kind === 'breaks') broken.push({ name, how: verdict.how });
  }
  return { replayed, broken };
}

/** For people: one line a history that would break, and the sum. */
export function reportText(what: string, { replayed, broken }: ReplayReport): string {
  const lines = broken.map(({ name, how }) => `  breaks: ${name}\n    ${how}`);
  const sum =
    broken.length === 0
      ? `${what}: ${replayed} replayed, all survive.`
      : `${what}: ${replayed} replayed, ${broken.length} would break.`;
  return `${[sum, ...lines].join('\n')}\n`;
}
