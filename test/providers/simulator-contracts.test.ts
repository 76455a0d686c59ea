/** RESOLUTE_SIMULATOR_CONTRACT: merged over the defaults; anything unknown stops the start. */
import { ConfigurationError } from '../../config/environment';
import { simulatorContracts } from '../../providers/simulator/contracts';

it('shortens what it names and keeps the rest', () => {
  const { 'sim-full': full, 'sim-key': key } = simulatorContracts(
    '{"sim-full":{"send":{"budget_ms":500},"look_up":{"lag_ms":1},"patience_ms":9},"sim-key":{"key":null}}',
  );
  expect(full.send).toEqual({ budgetMs: 500, horizonMs: 1_000, mayRepeat: false });
  expect(full.lookUp).toMatchObject({ lagMs: 1, absenceIsProof: true });
  expect(full.patienceMs).toBe(9);
  expect(key.key).toBeNull();
});

it('gives a look-up to a provider that has none, and takes one away', () => {
  const contracts = simulatorContracts(
    '{"sim-blind":{"look_up":{"lag_ms":5}},"sim-full":{"look_up":null}}',
  );
  expect(contracts['sim-blind'].lookUp).toMatchObject({ lagMs: 5, by: 'reference' });
  expect(contracts['sim-full'].lookUp).toBeNull();
});

it.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['an unknown provider', '{"sim-fast":{}}'],
  ['an unknown member', '{"sim-full":{"sends":{}}}'],
  ['an unknown inner member', '{"sim-full":{"send":{"budget":1}}}'],
  ['a negative time', '{"sim-full":{"patience_ms":-1}}'],
  ['an empty schedule', '{"sim-full":{"look_up":{"schedule_ms":[]}}}'],
  ['a time as text', '{"sim-full":{"patience_ms":"9"}}'],
])('refuses %s and names the variable', (_title, text) => {
  expect(() => simulatorContracts(text)).toThrow(ConfigurationError);
  expect(() => simulatorContracts(text)).toThrow(/RESOLUTE_SIMULATOR_CONTRACT/);
});
