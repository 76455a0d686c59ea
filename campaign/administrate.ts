/** Orders to the simulator's administration, which may be under a blow itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { type RunningStack } from '../local/ready';

/** How long a simulator that was killed may take to come back. */
const GIVE_UP_MS = 30_000;

export interface Order {
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly order?: unknown;
}

/** Asks or tells the simulator; repeated while it is being restarted. */
export async function administrate(
  stack: RunningStack,
  { path, method, order }: Order,
): Promise<unknown> {
  const end = Date.now() + GIVE_UP_MS;
  for (;;) {
    const reply = await request(`${stack.ready.simulator_admin}/_admin/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(order !== undefined && { body: JSON.stringify(order) }),
    }).catch((error: unknown) => {
      if (Date.now() > end) throw error;
      return null;
    });
    if (reply !== null) {
      const said = await reply.body.json();
      if (reply.statusCode < 300) return said;
      throw new Error(`the simulator refused ${path}: ${JSON.stringify(said)}`);
    }
    await pause(200);
  }
}
