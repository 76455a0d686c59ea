/** The derivation in words: what is believed, by which rule, on which evidence, and how it came about. */
import { type Explanation } from '../../client/types';
import { pairs } from './text';
import { nextText } from './intent-text';
import { detailText, timelineText } from './timeline-text';

/** Renders it. */
export function explanationText(explanation: Explanation): string {
  const { status, belief, next, allowed } = explanation;
  const head = pairs([
    ['intent', explanation.intent],
    ['status', status],
    ['believed', belief],
    ['next step', nextText(explanation)],
    ['why', next.reason],
    ['legal now', allowed.join(', ') || 'nothing to decide'],
  ]);
  return [
    head,
    `Because:\n${rulesText(explanation)}`,
    `Attempts:\n${attemptsText(explanation)}`,
    `Timeline:\n${timelineText(explanation)}`,
  ].join('\n');
}

/** Each rule once, and below it what it was applied to. */
function rulesText({ because, observations }: Explanation): string {
  const rules = [...new Set(because.map(({ rule }) => rule))];
  return rules
    .map((rule) => {
      const evidence = because.flatMap(({ rule: of, observation }) => {
        const seen = observation === null ? undefined : observations[observation];
        if (of !== rule || seen === undefined || observation === null) return [];
        const { source, finding, detail } = seen;
        return [
          `      observation ${observation + 1}: ${source}: ${finding}${detailText(detail)}\n`,
        ];
      });
      return `  ${ruleName(rule)}\n${evidence.join('')}`;
    })
    .join('');
}

/** Numbered ones are in docs/decision-rules.md. */
function ruleName(rule: string): string {
  return /^\d/.test(rule) ? `rule ${rule}` : rule;
}

function attemptsText({ attempts }: Explanation): string {
  if (attempts.length === 0) return '  none: nothing was sent\n';
  return attempts
    .map((one) => {
      const proven = one.proven === null ? 'nothing is proven' : `proven ${one.proven}`;
      const verdict = `  ${one.effect} ${one.number}: ${one.verdict ?? 'open'}, ${proven}\n`;
      return `${verdict}      reference ${one.reference}, key ${one.provider_key}\n`;
    })
    .join('');
}
