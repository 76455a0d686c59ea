/** `message.send`: bring a text to a recipient, at most once per tenant and reference. */
import { z } from 'zod';
import { type Operation } from './operation';
import { name, text } from './text';
import { TRIAL_MESSAGE_PROVIDERS } from './trial-providers';

/** As long as the other operations: a message may be about a charge that is contested. */
const RETENTION_DAYS = 400;

const schema = z.strictObject({
  /** The recipient, in the provider's form: a number, an address. Personal, so it stays in here. */
  to: name(255),
  text: text(1, 2_000),
  /** The caller's own name for the occasion: the business key. It is shown, so nothing personal. */
  reference: name(64),
  /** Required: a tenant's default is a provider of payments, and serves no messages. */
  provider: name(64),
});

/** What a caller may say of a message. */
type MessageParameters = z.infer<typeof schema>;

/** The operation, as registered. */
export const messageSend: Operation<MessageParameters, 'message.send'> = {
  name: 'message.send',
  version: 1,
  summary: 'Send a message',
  scope: 'message',
  commandKind: 'message',
  schema,
  fingerprintFields: ['to', 'text', 'reference', 'provider'] satisfies (keyof MessageParameters)[],
  example: {
    to: '+49 30 1234567',
    text: 'Your parcel is here.',
    reference: 'parcel-1',
    provider: 'sim-mail',
  },
  retentionDays: RETENTION_DAYS,
  policy: { attemptCap: 3 },
  // A fax whose confirmation is lost may lie there or not: a person calls and asks.
  reviewByDesign: TRIAL_MESSAGE_PROVIDERS,
  businessKey: ({ reference }) => reference,
  money: () => null,
  provider: ({ provider }) => provider,
  command: ({ to, text }) => ({ kind: 'message', to, text }),
};
