/**
 * The help of the operators' form: below a refusal in the Web UI, and in the run's details. Templates
 * are pretty-printed: of compact JSON the form reformats and loses the first click.
 */
import { type DecisionKind } from '../domain/decision';

/** What a template holds until somebody fills it in; sent unchanged it counts as missing. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  operator: 'your name',
  evidence: 'what proves it',
  reason: 'why you decide so',
};

const MEANS: Readonly<Record<DecisionKind, string>> = {
  applied: 'the provider did it',
  not_applied: 'the provider did not do it, and nothing of it is on its way',
  retry: 'the same as not_applied, and send it again',
};

/** A decision to paste and fill in. */
export function decideTemplate(decisionId: string, decision: DecisionKind): string {
  return JSON.stringify({ decision_id: decisionId, ...named(decision) }, null, 2);
}

function named(decision: DecisionKind) {
  const { operator, evidence, reason } = PLACEHOLDERS;
  return { operator, decision, evidence, reason };
}

/** A cancel to paste and fill in. */
const CANCEL_TEMPLATE = JSON.stringify({ operator: PLACEHOLDERS['operator'] }, null, 2);

/** The id that the template offers, and what may be decided now. */
export interface DecideOffer {
  readonly decisionId: string;
  readonly legal: readonly DecisionKind[];
}

/** Help for `decide`, line by line. */
export function decideHelp({ decisionId, legal }: DecideOffer): string {
  const kinds = legal.length === 0 ? (['applied', 'not_applied', 'retry'] as const) : legal;
  return [
    'Update "decide": one flat object, for example',
    '',
    decideTemplate(decisionId, kinds[0] ?? 'applied'),
    '',
    ...kinds.map((kind) => `${kind}: ${MEANS[kind]}`),
    '',
    legal.length === 0
      ? 'Legal now: nothing; the engine still acts by itself. Press R in the details and look again.'
      : `Legal now: ${legal.join(', ')}.`,
    'The same decision_id again is the same decision and harmless.',
    'A name typed here is only claimed: above the threshold of the operation it proposes, and a second',
    'operator approves through the API or the command line. "override": true is taken there only.',
  ].join('\n');
}

/** Why `approve` cannot be done here, and where it can. */
export function approveHelp(intentId: string): string {
  return [
    'An approval is a second, authenticated person:',
    '',
    `POST /v1/intents/${intentId}/decisions/{decision_id}/approve`,
    '',
    "with an operator's token.",
  ].join('\n');
}

/** Help for `cancel`. */
export const CANCEL_HELP = [
  'Update "cancel": who asks for it, for example',
  '',
  CANCEL_TEMPLATE,
  '',
  'Nothing is sent any more; what turns out applied is undone. Again, it is harmless.',
].join('\n');

/** Help for `lookUpNow`. */
export const LOOK_UP_HELP = 'Update "lookUpNow": no data, or { "operator": "your name" }.';
