import { resolve } from 'node:path';
import { readSettings } from '../../local/settings';
import { CONFIGURATION_EXIT_CODE } from '../../local/start-error';

function failure(environment: Record<string, string>): unknown {
  try {
    readSettings(environment, '/project');
  } catch (error) {
    return error;
  }
  return undefined;
}

test('without variables the documented defaults hold', () => {
  const { dataDirectory, ports, simulatorContract } = readSettings({}, '/project');
  expect(dataDirectory).toBe(resolve('/project/.resolute'));
  expect(Object.values(ports).map(({ port }) => port)).toEqual([8080, 8090, 7233, 8233, 54320]);
  expect(simulatorContract).toBe('{}');
});

test('an empty variable counts as not set', () => {
  expect(readSettings({ RESOLUTE_API_PORT: ' ' }, '/project').ports.api.port).toBe(8080);
});

test.each(['-1', '65536', '80a', '1.5'])('port %s is refused, naming the variable', (port) => {
  expect(failure({ RESOLUTE_UI_PORT: port })).toMatchObject({
    message: expect.stringContaining('RESOLUTE_UI_PORT') as string,
    exitCode: CONFIGURATION_EXIT_CODE,
  });
});

test.each(['{', '[]', 'null', '"x"'])('contract %s is refused in one line', (contract) => {
  expect(failure({ RESOLUTE_SIMULATOR_CONTRACT: contract })).toMatchObject({
    message: expect.stringMatching(/^RESOLUTE_SIMULATOR_CONTRACT .*$/) as string,
    exitCode: CONFIGURATION_EXIT_CODE,
  });
});
