// The queue of programmed faults. The first fault that matches a call is used, first in first out.

import { type Fault } from './fault';
import { type Call, type ProgrammeRecord } from './records';

export class Programme {
  #faults: Fault[] = [];

  /** What is left to happen, oldest first. */
  list(): readonly Fault[] {
    return this.#faults;
  }

  /** The fault the call meets, or null. Using it up is the caller's `fault-used` record. */
  match(call: Omit<Call, 'behaviour'>): Fault | null {
    return this.#faults.find((fault) => matches(fault, call)) ?? null;
  }

  apply(record: ProgrammeRecord): void {
    switch (record.type) {
      case 'fault-programmed':
        this.#faults.push(record.fault);
        return;
      case 'fault-used':
        this.#faults = this.#faults.flatMap((fault) =>
          fault.id === record.id ? used(fault) : [fault],
        );
        return;
      case 'faults-cleared':
        this.#faults = [];
    }
  }
}

function used(fault: Fault): Fault[] {
  if (fault.times === 'always') return [fault];
  return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
}

function matches(fault: Fault, call: Omit<Call, 'behaviour'>): boolean {
  if (fault.on !== 'any' && fault.on !== call.call) return false;
  const match = fault.match ?? {};
  // On refunds, voids and queries the reference is that of the charge the call names.
  const isOwn = call.call === 'charge' || call.call === 'message';
  const reference = isOwn ? call.reference : call.chargeReference;
  return (
    (match.provider === undefined || match.provider === call.provider) &&
    (match.amount === undefined || match.amount === call.amount) &&
    (match.source === undefined || match.source === call.source) &&
    (match.reference === undefined || match.reference === reference) &&
    (match.key === undefined || match.key === call.key)
  );
}
