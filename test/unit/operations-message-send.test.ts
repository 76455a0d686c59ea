import { messageSend } from '../../operations/message-send';

const MESSAGE = {
  to: '+491701234567',
  text: 'Your order is on its way.',
  reference: 'order-1',
  provider: 'sim-mail',
};

test('a message has no money and is told to the provider without our reference words', () => {
  const params = messageSend.schema.parse(MESSAGE);
  expect(messageSend.money(params, null)).toBeNull();
  expect(messageSend.businessKey(params)).toBe('order-1');
  expect(messageSend.provider(params)).toBe('sim-mail');
  expect(messageSend.command(params, null)).toEqual({
    kind: 'message',
    to: MESSAGE.to,
    text: MESSAGE.text,
  });
});

test.each<[string, object]>([
  ['an unknown member', { ...MESSAGE, amount: 1 }],
  ['no recipient', { ...MESSAGE, to: '' }],
  ['an empty text', { ...MESSAGE, text: '' }],
  ['a text that is too long', { ...MESSAGE, text: 'x'.repeat(2_001) }],
  ['no reference', { ...MESSAGE, reference: undefined }],
  ['no provider', { ...MESSAGE, provider: undefined }],
])('%s is refused', (_, body) => {
  expect(messageSend.schema.safeParse(body).success).toBe(false);
});
