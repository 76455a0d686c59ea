/** What a campaign showed, for people: what happened, where the intents ended, what contradicts. */
import { groupBy } from './group';
import { type CampaignOptions, type CampaignResult } from './run';

/** Ends with the findings, or with the sentence that there are none. */
export function reportText(options: CampaignOptions, result: CampaignResult): string {
  const { books, findings, blows, requests, crashes, reviews, decisions, tookMs } = result;
  const wrong = [
    ...findings.map((one) => `  ${one.kind}: ${one.about}`),
    ...crashes.map((one) => `  answered with a fault of ours: ${one}`),
  ];
  return [
    `${options.profile}, seed ${options.seed}: ${tally(books.intents.map((one) => one.kind))}; ${requests} requests in ${Math.round(tookMs / 1000)} s`,
    `in the ledger: ${tally(books.effects.map((one) => `${one.kind} ${one.status}`))}`,
    ...(books.refusals.length === 0
      ? []
      : [`refused: ${tally(books.refusals.map((one) => one.why))}`]),
    ...(blows.length === 0
      ? []
      : [`blows: ${tally(blows.map((one) => `${one.kind} ${one.process}`))}`]),
    `ended: ${tally(books.intents.map((one) => one.status))}`,
    `operator: ${decisions} decisions taken about ${reviews} intents in review`,
    ...(wrong.length === 0 ? ['The three books tell one story.'] : ['Contradictions:', ...wrong]),
    '',
  ].join('\n');
}

function tally(words: readonly string[]): string {
  const counts = [...groupBy(words, (word) => word)].map(
    ([word, all]) => [word, all.length] as const,
  );
  return counts
    .sort(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}
