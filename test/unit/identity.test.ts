/** The derived names: what they may look like, and that no two identities share one. */
import fc from 'fast-check';
import { providerKey, providerReference, workflowId } from '../../domain/identity';

const TENANT = 't'.repeat(40);
const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
/** Anything that the key grammar admits: printable ASCII. */
const key = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((n) => String.fromCharCode(n)),
  minLength: 1,
  maxLength: 255,
});

const idOf = (idempotencyKey: string, keyDigest: string): string =>
  workflowId({ tenant: TENANT, operation: 'payment.charge', idempotencyKey, keyDigest });

test('B105, B106: a workflow id is short, of safe characters, and holds no key but UUID and ULID', () => {
  fc.assert(
    fc.property(key, digest, (text, digested) => {
      const id = idOf(text, digested);
      expect(id).toMatch(/^[A-Za-z0-9._-]{1,200}$/);
      expect(id).toBe(`${TENANT}.payment.charge.h-${digested.slice(0, 32)}`);
    }),
  );
  expect(idOf("pay/2026:01@x'|y+z==", 'a'.repeat(64))).not.toMatch(/2026|@/);
});

test.each(['0b5a1e0c-7b0e-4a7e-9d3f-2f1f6f0a1b2c', '01JAXQK8T2N4W6Y8Z0A1B2C3D4'])(
  'B106: %s names nothing but itself and is shown',
  (opaque) => {
    expect(idOf(opaque, 'a'.repeat(64))).toBe(`${TENANT}.payment.charge.${opaque}`);
  },
);

test('B56: keys differ by intent, effect and generation; references by intent and effect', () => {
  const intents = ['01a22c76-9472-741a-9fcc-768325ffa9ad', '01a22c76-9472-741a-9fcc-768325ffa9ae'];
  const effects = ['apply', 'revert'] as const;
  const each = intents.flatMap((intent) => effects.map((effect) => ({ intent, effect })));
  const keys = each.flatMap(({ intent, effect }) => [
    providerKey(intent, effect, 1),
    providerKey(intent, effect, 2),
  ]);
  expect(new Set(keys).size).toBe(8);
  expect(new Set(each.map(({ intent, effect }) => providerReference(intent, effect))).size).toBe(4);
});
