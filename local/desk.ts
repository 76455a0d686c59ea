/** `npm run desk`: where the operators of the running stack look, as links to open. */
import { deskLinks } from '../orchestration/desk-links';
import { PROJECT_ROOT } from './project-root';
import { type Ready, readReady, readyPath } from './ready';
import { readSettings } from './settings';

function deskText({ api, desk, tenants, operators }: Ready): string {
  const links = deskLinks({ deskUrl: desk, now: new Date(), tenants: Object.keys(tenants) });
  const width = Math.max(...links.map(({ name }) => name.length));
  return [
    `The desk, signed in with an operator's token: ${api}/desk`,
    ...Object.entries(operators).map(([name, { token }]) => `  ${name.padEnd(width)}  ${token}`),
    '',
    'Lists of the Temporal Web UI:',
    ...links.map(({ name, url }) => `  ${name.padEnd(width)}  ${url}`),
    '',
  ].join('\n');
}

const { dataDirectory } = readSettings(process.env, PROJECT_ROOT);
const ready = readReady(dataDirectory);
if (ready === undefined) {
  process.stderr.write(
    `No stack runs: ${readyPath(dataDirectory)} is not there. Start one with "npm start".\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(deskText(ready));
}
