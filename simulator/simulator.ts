// What every part of the simulator works on. Starting and stopping it is in start.ts.

import { type Contracts } from './contract';
import { type Notifier } from './notifier';
import { type Store } from './store';

/** The contracts, all remembered state, and the way to the API. */
export interface Simulator {
  readonly contracts: Contracts;
  readonly store: Store;
  readonly notifier: Notifier;
}
