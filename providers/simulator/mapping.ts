/**
 * What the simulator's answers mean: one table for sends, one for look-ups, each with `unknown` as
 * its last arm. Written as an adapter of a real provider would be; it knows nothing of the
 * simulator's insides.
 */
import { type ChargeCommand, type PaymentCommand } from '../../domain/command';
import { type Finding } from '../../domain/journal';
import { type HttpResult } from '../transport';
import { type Answer, codeOf, refusedOrUnknown, told } from './refusals';

/** What we asked for, to compare with what is shown. */
export interface Expected {
  readonly command: PaymentCommand;
  readonly reference: string;
}

/** The finding of a send. */
export function sendFinding(result: HttpResult, expected: Expected): Finding {
  switch (result.kind) {
    case 'not_sent':
      return { kind: 'not_sent', why: result.why, retryAfterMs: null };
    case 'lost':
      return unknown(result.why);
    case 'answer':
      return answered(result, expected);
  }
}

function answered(answer: Answer, expected: Expected): Finding {
  switch (answer.status) {
    case 201:
    case 402:
      return shownFinding(answer.json, expected);
    default:
      return refusalOf(answer, expected.command) ?? refusedOrUnknown(answer);
  }
}

/** Refusals of a refund, documented as without effect. A charge has none: what is wrong is declined. */
const REFUND_REFUSALS: Readonly<Record<string, number>> = {
  charge_not_refundable: 400,
  refund_exceeds_charge: 400,
  charge_not_found: 404,
};

function refusalOf(answer: Answer, { kind }: PaymentCommand): Finding | null {
  return kind === 'refund' ? refusedBy(REFUND_REFUSALS, answer) : null;
}

/** A documented refusal; one that was replayed may be the answer to another request. */
function refusedBy(codes: Readonly<Record<string, number>>, answer: Answer): Finding | null {
  const code = codeOf(answer);
  if (code === null || answer.replayed || codes[code] !== answer.status) return null;
  return { kind: 'rejected', code, declined: false };
}

/**
 * Refusals of a void: the charge is past being undone, and nothing was done. `charge_already_voided`
 * is none of them: an earlier void of ours may have been it.
 */
const VOID_REFUSALS: Readonly<Record<string, number>> = {
  already_succeeded: 400,
  already_captured: 400,
  charge_already_refunded: 400,
  charge_not_voidable: 400,
};

/** What we asked to undo. */
export interface ExpectedRevert {
  readonly command: ChargeCommand;
  readonly providerId: string;
}

/** The finding of a void: `reverted` only if the very charge is shown as voided. */
export function revertFinding(
  result: HttpResult,
  { command, providerId }: ExpectedRevert,
): Finding {
  if (result.kind === 'not_sent') return { ...result, retryAfterMs: null };
  if (result.kind === 'lost') return unknown(result.why);
  const { status, json } = result;
  if (status === 200 && json?.['status'] === 'voided' && json['id'] === providerId) {
    return json['amount'] === command.amount
      ? { kind: 'reverted', providerId }
      : { kind: 'conflict', what: `voided ${providerId}: another amount` };
  }
  if (status === 402 && json?.['status'] === 'declined') {
    return { kind: 'rejected', code: declineCode(json['decline_code']), declined: true };
  }
  return refusedBy(VOID_REFUSALS, result) ?? refusedOrUnknown(result);
}

/** The finding of a look-up by our reference. */
export function lookUpFinding(result: HttpResult, expected: Expected): Finding {
  if (result.kind !== 'answer') return unknown(`look-up: ${result.why}`);
  const data = result.json?.['data'];
  if (result.status !== 200 || !Array.isArray(data)) {
    return unknown(`look-up: ${told(result)}`);
  }
  if (data.length === 0) return { kind: 'absent' };
  const findings = data.map((item: unknown) => shownFinding(item, expected));
  // Declines listed beside a live effect belong to other attempts; the effect is what counts.
  const live = findings.filter((finding) => finding.kind !== 'rejected');
  if (live.length > 1) {
    const what = `${live.length} effects under one reference`;
    return { kind: 'conflict', what, several: true };
  }
  return live[0] ?? findings[0] ?? unknown('look-up: nothing readable');
}

/** One effect as the provider shows it; anything unreadable is unknown, a difference a conflict. */
function shownFinding(item: unknown, { command, reference }: Expected): Finding {
  if (typeof item !== 'object' || item === null) return unknown('an unreadable answer');
  const shown = new Map(Object.entries(item));
  const id: unknown = shown.get('id');
  if (typeof id !== 'string' || id === '' || shown.get('object') !== command.kind) {
    return unknown('an unreadable answer');
  }
  const difference = differs(shown, [
    ['amount', command.amount],
    ['currency', command.currency],
    ['reference', reference],
    ...(command.kind === 'refund' ? ([['charge', command.charge]] as const) : []),
  ]);
  if (difference !== null) {
    return { kind: 'conflict', what: `${command.kind} ${id}: ${difference}` };
  }
  // Only a charge can be voided: of a refund that status is not in the contract.
  return shown.get('status') === 'voided' && command.kind === 'charge'
    ? { kind: 'reverted', providerId: id }
    : byStatus(shown.get('status'), id, shown.get('decline_code'));
}

function byStatus(status: unknown, id: string, code: unknown): Finding {
  switch (status) {
    case 'succeeded':
      return { kind: 'applied', providerId: id };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', providerId: id };
    case 'declined':
      return {
        kind: 'rejected',
        code: declineCode(code),
        declined: true,
      };
    default:
      return unknown('a status that is not in the contract');
  }
}

function declineCode(code: unknown): string {
  return typeof code === 'string' ? code.slice(0, 64) : 'declined';
}

function differs(
  shown: ReadonlyMap<string, unknown>,
  expected: readonly (readonly [string, unknown])[],
): string | null {
  const wrong = expected.find(([member, value]) => shown.get(member) !== value);
  return wrong === undefined
    ? null
    : `${wrong[0]} is ${String(shown.get(wrong[0])).slice(0, 80)}, expected ${String(wrong[1])}`;
}

function unknown(why: string): Finding {
  return { kind: 'unknown', why, frozen: false };
}
