/** All rehearsals, in the order of the runbook's sections. */
import { answersLost } from './answers-lost';
import { deployAndRollBack } from './deploy-and-roll-back';
import { discrepancy } from './discrepancy';
import { keyRotation } from './key-rotation';
import { manyInReview } from './many-in-review';
import { namespaceLost } from './namespace-lost';
import { postgresqlDown } from './postgresql-down';
import { providerDown } from './provider-down';
import { providerSlow } from './provider-slow';
import { type Rehearsal } from './rehearsal';
import { restoredBackup } from './restored-backup';
import { temporalDown } from './temporal-down';
import { workerGone } from './worker-gone';
import { wrongContract } from './wrong-contract';

export const REHEARSALS: readonly Rehearsal[] = [
  providerDown,
  providerSlow,
  answersLost,
  manyInReview,
  workerGone,
  temporalDown,
  postgresqlDown,
  restoredBackup,
  namespaceLost,
  wrongContract,
  discrepancy,
  deployAndRollBack,
  keyRotation,
];
