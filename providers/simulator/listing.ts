/** What a page of the simulator's listings says; one effect that cannot be read hides no other. */
import { z } from 'zod';
import { type CommandKind } from '../../domain/command';
import { type ToldFinding } from '../../domain/told-effect';
import { type ListedEffect, type Listing } from '../provider';
import { type HttpResult } from '../transport';

const pageSchema = z.object({
  data: z.array(z.unknown()).max(1_000),
  next_cursor: z.string().min(1).max(255).nullable(),
});

const effectSchema = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  object: z.enum(['charge', 'refund']),
  status: z.enum(['succeeded', 'pending', 'requires_action', 'voided']),
  amount: z.int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  reference: z.string().max(255).nullable(),
});

/** Reads one page. */
export function listingOf(result: HttpResult, kind: CommandKind): Listing {
  if (result.kind !== 'answer') return { kind: 'failed', why: result.why };
  const page = pageSchema.safeParse(result.json);
  if (result.status !== 200 || !page.success) {
    return { kind: 'failed', why: `answer ${result.status}` };
  }
  const { data, next_cursor: next } = page.data;
  const effects = data.flatMap((item) => effectOf(item, kind) ?? []);
  return { kind: 'page', effects, unreadable: data.length - effects.length, next };
}

function effectOf(item: unknown, kind: CommandKind): ListedEffect | null {
  const shown = effectSchema.safeParse(item);
  if (!shown.success || shown.data.object !== kind) return null;
  const { id, status, amount, currency, reference } = shown.data;
  return { finding: findingOf(status, id), amount, currency, reference };
}

type ListedStatus = z.infer<typeof effectSchema>['status'];

function findingOf(status: ListedStatus, providerId: string): ToldFinding {
  switch (status) {
    case 'succeeded':
      return { kind: 'applied', providerId };
    case 'voided':
      return { kind: 'reverted', providerId };
    case 'pending':
    case 'requires_action':
      // It exists, and its end comes later.
      return { kind: 'pending', providerId };
  }
}
