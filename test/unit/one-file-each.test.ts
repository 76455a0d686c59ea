/** An extension stands in its own file; nobody else knows its name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOperations } from '../../operations/registry';
import { describedProviders } from '../../providers/registry';
import { PROGRAMS, ROOT, sourcesOf } from '../support/program-sources';

/** The engine: what the gateway and the worker are made of. */
const SOURCES = [...new Set([sourcesOf('api'), sourcesOf('worker')].flatMap((one) => [...one]))];

const naming = (word: string): readonly string[] =>
  SOURCES.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes(word)).sort();

test('the sources of the engine are found', () => {
  expect(PROGRAMS).toContain('worker');
  expect(SOURCES).toEqual(expect.arrayContaining(['operations/registry.ts', 'api/main.ts']));
});

test('message.send is an operation of one file', () => {
  expect([...createOperations(describedProviders()).keys()]).toContain('message.send');
  expect(naming("'message.send'")).toEqual(['operations/message-send.ts']);
  expect(naming("'./message-send'")).toEqual(['operations/registry.ts']);
});

test('a provider of messages is one file; operations name it only in an example, or to accept review by design', () => {
  expect(describedProviders().map(({ name }) => name)).toContain('sim-mail');
  const named = ['operations/trial-providers.ts', 'providers/simulator/messages.ts'];
  expect(naming("'sim-mail'")).toEqual(['operations/message-send.ts', ...named]);
  expect(naming("'sim-fax'")).toEqual(named);
  expect(naming("'./simulator/messages'")).toEqual(['providers/registry.ts']);
});
