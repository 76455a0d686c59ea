/** What the terminal shows when the stack is up: where everything is, and a first thing to try. */
import pc from 'picocolors';
import type { Ready } from './ready';

export function welcome(ready: Ready, readyFile: string): string {
  const rows = [
    ['API', ready.api],
    ["Operators' desk", `${ready.api}/desk`],
    ['Temporal Web UI', ready.desk],
    ['Simulator', `${ready.simulator}, its administration ${ready.simulator_admin}`],
    ['Temporal', `${ready.temporal.address}, namespace ${ready.temporal.namespace}`],
    ['Database', new URL(ready.database).host],
    ['Tokens, pids', readyFile],
  ] as const;
  const table = rows.map(([name, place]) => `  ${name.padEnd(17)}${place}`).join('\n');
  return [
    '',
    `${pc.bold('Resolute is ready.')} Ctrl-C stops it.`,
    table,
    '',
    'Charge a card; the same line again answers the same charge:',
    curlLine(ready),
    '',
  ].join('\n');
}

/** One line without variables, so that it can be copied as it is. */
function curlLine({ api, tenants }: Ready): string {
  const body = { amount: 1000, currency: 'EUR', source: 'card_1', reference: 'order-1' };
  return [
    `curl -sS ${api}/v1/intents/payment.charge`,
    `-H 'Authorization: Bearer ${tenants.acme.token}'`,
    "-H 'Idempotency-Key: 5f0c9a3e-6b1d-4c58-9d2a-7e4b8f1a2c30' -H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' ');
}
