// Brings effects that are under way to their landing: `slow` ones, whose answer waits for it, and
// `late-effect` ones, whose answer has long left. Also after a restart, when it may be overdue.

import { randomUUID } from 'node:crypto';

import { perform, type Performance } from './perform';
import { type Landing } from './records';
import { type Simulator } from './simulator';
import { waitUntil } from './wait';

/** Writes down that an effect is under way. Only the journal makes it happen, not this process. */
export function schedule(simulator: Simulator, plan: Omit<Landing, 'id'>): Landing {
  const landing = { ...plan, id: `landing_${randomUUID()}` };
  simulator.store.commit({ type: 'landing-scheduled', landing });
  return landing;
}

/** Waits for the due time and lands. Null if a reset has forgotten the landing meanwhile. */
export async function land(simulator: Simulator, landing: Landing): Promise<Performance | null> {
  await waitUntil(landing.dueAtMs);
  return landNow(simulator, landing);
}

/** Takes up what an earlier process left under way; what is overdue has landed on return. */
export function resumeLandings(simulator: Simulator): void {
  for (const landing of simulator.store.landings.pending()) {
    if (landing.dueAtMs <= Date.now()) {
      announceLanded(simulator, landing, landNow(simulator, landing));
    } else {
      void landUnattended(simulator, landing);
    }
  }
}

/** Lands with nobody waiting for the answer; the notification, if any, goes out at the landing. */
export async function landUnattended(simulator: Simulator, landing: Landing): Promise<void> {
  announceLanded(simulator, landing, await land(simulator, landing));
}

function landNow(simulator: Simulator, landing: Landing): Performance | null {
  const { landings } = simulator.store;
  if (!landings.isPending(landing)) return null;
  const { request, visibleAfterMs } = landing;
  return perform(simulator, { request, visibleAfterMs, status: 'succeeded', landing });
}

function announceLanded(simulator: Simulator, landing: Landing, done: Performance | null): void {
  const effect = done?.effect ?? null;
  if (effect === null) return;
  if (landing.announce) void simulator.notifier.announce(effect);
  else simulator.notifier.notifyOfChange(effect);
}
