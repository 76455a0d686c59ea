/** `npm run desk`: where the operators of the running stack look, as links to open. */
import { ORPHANS_PAGE, queuePage } from '../api/desk/paths';
import { CONCERN_NAMES, CONCERNS } from '../domain/concern';
import { deskLinks } from '../orchestration/desk-links';
import { PROJECT_ROOT } from './project-root';
import { type Ready, readReady, readyPath } from './ready';
import { readSettings } from './settings';

type Link = readonly [name: string, target: string];

function deskText({ api, desk, tenants, operators }: Ready): string {
  const signIn = Object.entries(operators).map(([name, { token }]): Link => [name, token]);
  const pages = CONCERNS.map((one): Link => [CONCERN_NAMES[one], `${api}${queuePage(one)}`]);
  const lists = deskLinks({ deskUrl: desk, now: new Date(), tenants: Object.keys(tenants) });
  return [
    `The desk, signed in with an operator's token: ${api}/desk`,
    ...aligned(signIn),
    '',
    'Of its queue:',
    ...aligned([...pages, ['Effects without an intent', `${api}${ORPHANS_PAGE}`]]),
    '',
    'Lists of the Temporal Web UI:',
    ...aligned(lists.map(({ name, url }): Link => [name, url])),
    '',
  ].join('\n');
}

function aligned(links: readonly Link[]): readonly string[] {
  const width = Math.max(...links.map(([name]) => name.length));
  return links.map(([name, target]) => `  ${name.padEnd(width)}  ${target}`);
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
