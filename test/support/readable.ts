/** What a history says, for tests that look for what must not be in it. */

/** All texts in it, the bytes of payloads among them: protobuf's own JSON would show those as base64. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${readable(part)}`)
    .join('\n');
}
