/** Which notifications are believed to be the simulator's, and what is read out of them. */
import { Webhook } from 'standardwebhooks';
import { ConfigurationError } from '../../config/environment';
import { type NotificationReading } from '../../providers/notification';
import { simulatorNotifications } from '../../providers/simulator/notifications';

const OLD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const NEW = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const FOREIGN = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const CHARGE = {
  id: 'ch_1',
  object: 'charge',
  status: 'succeeded',
  amount: 1000,
  currency: 'EUR',
  reference: 'rs-1-a',
};

interface Sent {
  readonly secret?: string;
  readonly body?: string;
  readonly at?: number;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const event = (type: string, shown: unknown = CHARGE, object = 'charge'): string =>
  JSON.stringify({ id: 'evt_1', type, data: { [object]: shown } });

function reading(
  { secret = NEW, body = event('charge.succeeded'), at = Date.now(), id = 'evt_1', headers }: Sent,
  secrets = NEW,
): NotificationReading {
  const read = simulatorNotifications(secrets);
  if (read === null) throw new Error('no reader');
  return read({
    body: Buffer.from(body),
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
      ...headers,
    },
  });
}

function told(body: string) {
  const it = reading({ body });
  return it.kind === 'proven' ? it.notification.told : it.kind;
}

const MINUTE_MS = 60_000;

describe('a notification is proven', () => {
  it.each([
    ['signed with our secret', {}, 'proven'],
    ['four minutes old', { at: Date.now() - 4 * MINUTE_MS }, 'proven'],
    ['six minutes old', { at: Date.now() - 6 * MINUTE_MS }, 'unproven'],
    ['six minutes ahead', { at: Date.now() + 6 * MINUTE_MS }, 'unproven'],
    ['signed with a foreign secret', { secret: FOREIGN }, 'unproven'],
    ['without a signature', { headers: { 'webhook-signature': undefined } }, 'unproven'],
    ['with a signature that is none', { headers: { 'webhook-signature': 'v1' } }, 'unproven'],
    ['under another id than it was signed for', { headers: { 'webhook-id': 'x' } }, 'unproven'],
    [
      'with another time than it was signed for',
      { headers: { 'webhook-timestamp': '1' } },
      'unproven',
    ],
    ['without a time', { headers: { 'webhook-timestamp': 'now' } }, 'unproven'],
  ] as const)('%s: %s', (_title, sent, kind) => {
    expect(reading(sent).kind).toBe(kind);
  });

  it('by its bytes: one blank more is another body', () => {
    const body = event('charge.succeeded');
    const signature = new Webhook(NEW).sign('evt_1', new Date(), body);
    const sent = { body: `${body} `, headers: { 'webhook-signature': signature } };
    expect(reading(sent).kind).toBe('unproven');
  });

  it.each([`${OLD},${NEW}`, `${OLD} ${NEW}`, ` ${NEW},\n ${OLD} `])(
    'by either of two secrets, while they are rotated',
    (secrets) => {
      expect(reading({ secret: OLD }, secrets).kind).toBe('proven');
      expect(reading({ secret: NEW }, secrets).kind).toBe('proven');
      expect(reading({ secret: FOREIGN }, secrets).kind).toBe('unproven');
    },
  );

  it('by nothing where no secret is configured', () => {
    expect(simulatorNotifications(' , ')).toBeNull();
  });

  it.each(['hunter2', 'whsec_', 'whsec_%%%', `${NEW},hunter2`])(
    'and a secret that is none stops the start without being shown (%s)',
    (secrets) => {
      const make = () => simulatorNotifications(secrets);
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow(/^RESOLUTE_SIMULATOR_SIGNING_SECRET/);
      expect(make).not.toThrow(/hunter2|%%%/);
    },
  );
});

describe('of a proven notification', () => {
  it.each([
    ['charge.succeeded', { kind: 'applied', providerId: 'ch_1' }],
    ['charge.pending', { kind: 'pending', providerId: 'ch_1' }],
    ['charge.requires_action', { kind: 'pending', providerId: 'ch_1' }],
    ['charge.voided', { kind: 'reverted', providerId: 'ch_1' }],
    ['charge.failed', { kind: 'rejected', code: 'declined', declined: true }],
  ])('%s is read', (type, finding) => {
    expect(told(event(type))).toEqual({
      ...{ reference: 'rs-1-a', providerKey: null, finding, amount: 1000, currency: 'EUR' },
    });
  });

  it('a refund is read like a charge, under its own reference', () => {
    const refund = { ...CHARGE, id: 're_1', object: 'refund', reference: 'rs-2-a' };
    expect(told(event('refund.succeeded', refund, 'refund'))).toMatchObject({
      ...{ reference: 'rs-2-a', finding: { kind: 'applied', providerId: 're_1' } },
    });
  });

  it('the code of a decline is kept, if it is a code', () => {
    const failed = (decline_code: unknown) =>
      told(event('charge.failed', { ...CHARGE, decline_code }));
    expect(failed('expired_card')).toMatchObject({ finding: { code: 'expired_card' } });
    expect(failed('Mr Smith is broke')).toMatchObject({ finding: { code: 'declined' } });
    expect(failed('x\u0000')).toMatchObject({ finding: { code: 'declined' } });
  });

  it.each(['charge.updated', 'something.unknown', 'charge', 'charge.succeeded.twice'])(
    '%s says nothing, whatever it holds',
    (type) => {
      expect(told(event(type, null))).toBeNull();
    },
  );

  it.each([
    ['no JSON', '{'],
    ['nothing at all', ''],
    ['no object', '[]'],
    ['no type', '{"data":{}}'],
    ['a type that no log should show', event('charge\n.succeeded')],
    ['a type without its effect', event('charge.succeeded', CHARGE, 'refund')],
    ['an effect without an id', event('charge.succeeded', { ...CHARGE, id: undefined })],
    ['an id that no row can hold', event('charge.succeeded', { ...CHARGE, id: 'a\u0000' })],
    ['an amount in words', event('charge.succeeded', { ...CHARGE, amount: '1000' })],
    ['an amount that a double rounds', event('charge.succeeded', { ...CHARGE, amount: 2 ** 53 })],
    ['a currency that is none', event('charge.succeeded', { ...CHARGE, currency: 'euro' })],
  ])('%s is malformed', (_title, body) => {
    expect(reading({ body }).kind).toBe('malformed');
  });

  it('an id that no log should show is malformed', () => {
    expect(reading({ id: 'evt 1' }).kind).toBe('malformed');
    expect(reading({ id: 'e'.repeat(256) }).kind).toBe('malformed');
  });
});
