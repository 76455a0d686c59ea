/**
 * What operators send from the Web UI: one flat object, or the JSON text of one (an editor that quotes
 * is no reason to refuse), read strictly. Nothing, a list, a number or an unknown member gets one
 * sentence that says what is wrong.
 */
import { type DecisionKind } from '../domain/decision';
import {
  DECISION_ID,
  isPlain,
  MOST_EVIDENCE,
  MOST_OPERATOR,
  MOST_REASON,
} from '../domain/decision-form';
import { PLACEHOLDERS } from './desk-help';

/** A decision as it was typed. */
export interface DecideForm {
  readonly decisionId: string;
  readonly operator: string;
  readonly decision: DecisionKind;
  readonly evidence: string;
  readonly reason: string;
  readonly override: boolean;
}

/** A form, or what is wrong with it in one sentence. */
export type Read<Form> =
  | { readonly kind: 'read'; readonly form: Form }
  | { readonly kind: 'refused'; readonly why: string };

const KINDS: readonly DecisionKind[] = ['applied', 'not_applied', 'retry'];

/** Reads what was sent to `decide`. */
export function readDecide(raw: unknown): Read<DecideForm> {
  return reading(raw, ['decision_id', 'operator', 'decision', 'evidence', 'reason', 'override'], {
    emptyIs: null,
    form: (members) => ({
      decisionId: idOf(members),
      operator: textOf(members, 'operator', MOST_OPERATOR),
      decision: kindOf(members),
      evidence: textOf(members, 'evidence', MOST_EVIDENCE),
      reason: textOf(members, 'reason', MOST_REASON),
      override: overrideOf(members),
    }),
  });
}

/** Reads what was sent to `cancel`: who it claims to be. */
export function readCancel(raw: unknown): Read<{ readonly operator: string }> {
  return reading(raw, ['operator', 'reason'], {
    emptyIs: null,
    form: (members) => ({ operator: textOf(members, 'operator', MOST_OPERATOR) }),
  });
}

/** Reads what was sent to `lookUpNow`: asking is harmless, so nothing at all will do. */
export function readLookUp(raw: unknown): Read<object> {
  return reading(raw, ['operator', 'reason'], { emptyIs: {}, form: () => ({}) });
}

type Members = Readonly<Record<string, unknown>>;

interface Reading<Form> {
  /** What no argument at all stands for; null: it is refused. */
  readonly emptyIs: Members | null;
  readonly form: (members: Members) => Form;
}

class FormError extends Error {}

function reading<Form>(
  raw: unknown,
  known: readonly string[],
  { emptyIs, form }: Reading<Form>,
): Read<Form> {
  try {
    const members = raw === undefined && emptyIs !== null ? emptyIs : membersOf(raw);
    const foreign = Object.keys(members).find((name) => !known.includes(name));
    if (foreign !== undefined) {
      throw new FormError(`"${shown(foreign)}" is not a member; known are ${known.join(', ')}.`);
    }
    return { kind: 'read', form: form(members) };
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return { kind: 'refused', why: error.message };
  }
}

function membersOf(raw: unknown): Members {
  const value = typeof raw === 'string' ? parse(raw) : raw;
  if (value === undefined) throw new FormError('Nothing was sent: one JSON object is needed.');
  if (Array.isArray(value)) throw new FormError('A list was sent: one JSON object is needed.');
  if (typeof value !== 'object' || value === null) {
    throw new FormError(`${shown(JSON.stringify(value))} was sent: one JSON object is needed.`);
  }
  return value as Members;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FormError('A text was sent that is not JSON: one JSON object is needed.');
  }
}

function idOf({ decision_id: id }: Members): string {
  if (id === undefined) {
    throw new FormError('"decision_id" is missing: give the decision a name of its own.');
  }
  if (typeof id === 'string' && DECISION_ID.test(id)) return id;
  throw new FormError('"decision_id" must be 1 to 100 of letters, digits and . _ ~ : @ + = -');
}

function kindOf({ decision }: Members): DecisionKind {
  const kind = KINDS.find((one) => one === decision);
  if (kind !== undefined) return kind;
  throw new FormError(`"decision" must be one of ${KINDS.join(', ')}.`);
}

const MISSING: Readonly<Record<string, string>> = {
  operator: 'say who you are.',
  evidence: 'say what proves it, for example the line of the provider’s statement.',
  reason: 'say why you decide so.',
};

function textOf(members: Members, name: 'operator' | 'evidence' | 'reason', most: number): string {
  const value = members[name];
  if (value === undefined || value === '' || value === PLACEHOLDERS[name]) {
    throw new FormError(`"${name}" is missing: ${MISSING[name] ?? ''}`);
  }
  if (typeof value === 'string' && isPlain(value, most)) return value;
  throw new FormError(`"${name}" must be text of 1 to ${most} characters on one line.`);
}

function overrideOf({ override = false }: Members): boolean {
  if (typeof override === 'boolean') return override;
  throw new FormError('"override" must be true or false, without quotes.');
}

/** What somebody sent is repeated only so far that it can be recognised. */
function shown(text: string): string {
  return text.slice(0, 40);
}
