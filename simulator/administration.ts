// The administration: programmes faults, changes settings, sends notifications, reads the ledger.
// It is for tests and demos and is never on the providers' port.

import { type FastifyInstance } from 'fastify';
import { z } from 'zod';

import { readFault } from './fault';
import { createHttp } from './http';
import { type Listener } from './listener';
import { notify } from './notify';
import { callLine, effectLine } from './render';
import { changedSettings, type Settings } from './settings';
import { parseJson, readShape } from './shape';
import { type Simulator } from './simulator';
import { PROVIDERS } from './words';

const text = z.string();
const filterShape = z
  .strictObject({ source: text, reference: text, key: text, provider: z.enum(PROVIDERS) })
  .partial();

/** Builds the administration of a simulator; `face` is the providers' listener it may close. */
export function createAdministration(simulator: Simulator, face: Listener): FastifyInstance {
  const app = createHttp();
  faultRoutes(app, simulator);
  app.post('/_admin/reset', () => {
    simulator.store.reset();
    return {};
  });
  app.get('/_admin/ledger', (request) => {
    const allowed = `Allowed: source, reference, key, provider (${PROVIDERS.join(', ')}).`;
    const filter = readShape(filterShape, request.query, allowed);
    const { effects, calls } = simulator.store.ledger.read(filter);
    return { effects: effects.map(effectLine), calls: calls.map(callLine) };
  });
  app.post('/_admin/notifications', async (request) => notify(simulator, parseJson(request.body)));
  app.get('/_admin/settings', () => simulator.store.settings);
  app.put('/_admin/settings', async (request) => {
    const settings = changedSettings(simulator.store.settings, parseJson(request.body));
    return changeSettings(simulator, face, settings);
  });
  return app;
}

function faultRoutes(app: FastifyInstance, simulator: Simulator): void {
  const { store } = simulator;
  app.get('/_admin/faults', () => ({ faults: store.programme.list() }));
  app.post('/_admin/faults', async (request, reply) => {
    const fault = readFault(parseJson(request.body));
    store.commit({ type: 'fault-programmed', fault });
    return reply.code(201).send(fault);
  });
  app.delete('/_admin/faults', () => {
    store.commit({ type: 'faults-cleared' }, { type: 'keys-honoured-again' });
    return { faults: store.programme.list() };
  });
}

/** The listener follows before the setting is kept: a port that cannot be had changes nothing. */
async function changeSettings(
  simulator: Simulator,
  face: Listener,
  settings: Settings,
): Promise<Settings> {
  if (settings.listening) await face.open();
  else await face.close();
  simulator.store.commit({ type: 'settings-changed', settings });
  return settings;
}
