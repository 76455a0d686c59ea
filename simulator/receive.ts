// Reads a request on the providers' face: what it asks for, and the line the ledger keeps of it.
// A malformed request still leaves a line, with whatever could be read.

import { createHash } from 'node:crypto';
import { z } from 'zod';

import { type Ledger } from './ledger';
import { type Query } from './queries';
import { type Call, type CreateRequest, type Effect } from './records';
import { parseJson, readShape, Refusal } from './shape';
import { type EffectKind, type ProviderName } from './words';

/** A request as it arrived. `target` is the charge id or the reference in its URL, if any. */
export interface Incoming {
  readonly provider: ProviderName;
  readonly path: string;
  readonly key: string | null;
  readonly target: string | null;
  readonly body: unknown;
  readonly atMs: number;
}

export type Line = Omit<Call, 'behaviour'>;

const text = z.string().min(1).max(255);
const money = z.int().positive();
const currency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code');
// Providers take more members than these (descriptions, metadata); they are simply not looked at.
const chargeShape = z.object({ amount: money, currency, source: text, reference: text });
const refundShape = z.object({ charge: text, amount: money, reference: text });
const voidShape = z.object({ reference: text.optional() });
const messageShape = z.object({ to: text, text: z.string().min(1), reference: text });
const REQUIRED = {
  charge: 'Required: amount (integer minor units from 1), currency, source, reference.',
  refund: 'Required: charge, amount (integer minor units from 1), reference.',
  void: 'Allowed: reference.',
  message: 'Required: to, text, reference.',
} as const;

/** Reads a charge, refund, void or message. Throws `Refusal` with a sentence. */
export function readCreate(ledger: Ledger, kind: EffectKind, incoming: Incoming): CreateRequest {
  const body = parseJson(incoming.body);
  const common = {
    provider: incoming.provider,
    kind,
    path: incoming.path,
    key: incoming.key,
    digest: createHash('sha256').update(canonical(body)).digest('hex'),
  };
  if (kind === 'charge') {
    const given = readShape(chargeShape, body, REQUIRED.charge);
    return { ...common, ...given, charge: null, chargeReference: null };
  }
  if (kind === 'message') {
    const { to, reference } = readShape(messageShape, body, REQUIRED.message);
    const money = { amount: null, currency: null };
    return { ...common, ...money, reference, source: to, charge: null, chargeReference: null };
  }
  const given = readShape(kind === 'refund' ? refundShape : voidShape, body, REQUIRED[kind]);
  const id = 'charge' in given ? given.charge : incoming.target;
  const charge = id === null ? null : ledger.find(incoming.provider, id);
  return {
    ...common,
    reference: given.reference ?? null,
    charge: id,
    chargeReference: charge?.reference ?? null,
    source: charge?.source ?? null,
    amount: 'amount' in given ? given.amount : (charge?.amount ?? null),
    currency: charge?.currency ?? null,
  };
}

/** The ledger's line of a well-formed charge, refund or void. */
export function lineOf(request: CreateRequest, atMs: number): Line {
  const { kind, provider, key, reference, charge, chargeReference } = request;
  const { source, amount, currency: unit } = request;
  const named = { reference, charge, chargeReference, source, amount, currency: unit };
  return { call: kind, provider, key, ...named, atMs };
}

/** The line of a request that could not be read, with what was legible of its body. */
export function malformedLine(kind: EffectKind, incoming: Incoming): Line {
  const body = legible(incoming.body);
  return {
    call: kind,
    provider: incoming.provider,
    key: incoming.key,
    reference: typeof body['reference'] === 'string' ? body['reference'] : null,
    charge: typeof body['charge'] === 'string' ? body['charge'] : incoming.target,
    chargeReference: null,
    source: [body['source'], body['to']].find((one) => typeof one === 'string') ?? null,
    amount: typeof body['amount'] === 'number' ? body['amount'] : null,
    currency: typeof body['currency'] === 'string' ? body['currency'] : null,
    atMs: incoming.atMs,
  };
}

/** The line of a look-up: it carries the charge it asks about, as far as that is known. */
export function queryLine(ledger: Ledger, query: Query, incoming: Incoming): Line {
  const named = namedCharge(ledger, query, incoming.provider);
  const byReference = query.about !== 'charge';
  return {
    call: 'query',
    provider: incoming.provider,
    key: incoming.key,
    reference: byReference ? query.name : null,
    charge: byReference ? (named?.charge ?? null) : query.name,
    // A charge that never was is still the charge that the question names.
    chargeReference: query.about === 'charges' ? query.name : (named?.chargeReference ?? null),
    source: named?.source ?? null,
    amount: named?.amount ?? null,
    currency: named?.currency ?? null,
    atMs: incoming.atMs,
  };
}

type Named = Pick<Line, 'charge' | 'chargeReference' | 'source' | 'amount' | 'currency'>;

function namedCharge(ledger: Ledger, query: Query, provider: ProviderName): Named | null {
  const effect = query.about === 'charge' ? ledger.find(provider, query.name) : null;
  if (effect !== null) return asNamed(effect);
  if (query.about === 'charge') return null;
  const kind = query.about === 'charges' ? 'charge' : 'refund';
  const known = ledger.named(provider, kind, query.name).at(-1);
  if (known === undefined) return ledger.lastCall(provider, kind, query.name);
  return asNamed(known);
}

function asNamed(effect: Effect): Named {
  if (effect.kind !== 'charge') return effect;
  return { ...effect, charge: effect.id, chargeReference: effect.reference };
}

function legible(body: unknown): Record<string, unknown> {
  try {
    const parsed = parseJson(body);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

/** JSON with its members in order at every depth, so that spelling does not make another body. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
