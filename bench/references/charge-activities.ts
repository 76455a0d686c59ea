/** The one activity of the naive workflow. */
import { chargeProvider, type Charge, type Charged } from './provider';

/** Activities that call the provider at `origin`. */
export function chargeActivities(origin: string) {
  return {
    charge: (key: string, parameters: Charge): Promise<Charged> =>
      chargeProvider(origin, key, parameters),
  };
}
