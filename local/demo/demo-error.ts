/** Something did not end as the demo promises. Printed as its one sentence; anything else is a bug. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
