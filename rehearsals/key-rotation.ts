/** Tokens and the signing secret rotate without a gap; the key digest secret must never change. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type Credentials, credentialsPath } from '../local/credentials';
import { ask } from './http';
import { resolute } from './programs';
import { type Rehearsal } from './rehearsal';
import { must, type Stage } from './stage';

export const keyRotation: Rehearsal = {
  name: 'key-rotation',
  isAlone: true,
  async perform(stage) {
    const before = { name: 'rotation' };
    const { intent } = await stage.untilStatus(before, 'succeeded');
    await rotateToken(stage, intent?.id ?? '');
    await rotateSigningSecret(stage);
    await changeDigestSecret(stage, before);
  },
};

interface Issued {
  readonly id: string;
  readonly token: string;
}

async function rotateToken(stage: Stage, intent: string): Promise<void> {
  const made = ['--tenant', 'acme', '--actor', 'shop', '--scopes', 'charge,read'];
  const old = (await resolute(stage.ready, 'token', 'create', ...made)) as Issued;
  const next = (await resolute(
    stage.ready,
    'token',
    'rotate',
    old.id,
    '--overlap',
    '1h',
  )) as Issued;
  const seen = async (token: string): Promise<number | undefined> =>
    (await ask(`${stage.ready.api}/v1/intents/${intent}`, { token }))?.code;
  must('both work', (await seen(old.token)) === 200 && (await seen(next.token)) === 200);
  await resolute(stage.ready, 'token', 'revoke', old.id);
  must('the old one ends at once', (await seen(old.token)) === 401);
  must('the new one goes on', (await seen(next.token)) === 200);
  stage.say('  token: both worked in the overlap; revoked, the old one was 401 at once');
}

/** The provider signs with `new`, while the gateway still takes both. */
async function rotateSigningSecret(stage: Stage): Promise<void> {
  const fresh = `whsec_${randomBytes(24).toString('base64')}`;
  await stage.restart(() =>
    change(stage, ({ signingSecret }) => ({ signingSecret: `${fresh},${signingSecret}` })),
  );
  await settlePending(stage, 'rotation-both');
  await stage.restart(() => change(stage, () => ({ signingSecret: fresh })));
  await settlePending(stage, 'rotation-new');
  stage.say('  signing secret: notifications counted under "new,old" and under "new"');
}

async function settlePending(stage: Stage, name: string): Promise<void> {
  await stage.fault(name, { on: 'charge', do: 'pending' });
  await stage.untilStatus({ name }, 'pending');
  const [effect] = await stage.effects(name);
  const told = (await stage.tell('notifications', {
    about: effect?.id,
    type: 'charge.succeeded',
  })) as { readonly deliveries: readonly { readonly status: number }[] };
  must('the notification is accepted', told.deliveries[0]?.status === 202);
  await stage.untilStatus({ name }, 'succeeded');
}

/** What happens if somebody does it all the same, and that putting it back mends it. */
async function changeDigestSecret(stage: Stage, charge: { readonly name: string }): Promise<void> {
  const kept = await readCredentials(stage);
  await stage.restart(() =>
    change(stage, () => ({ keyDigestSecret: randomBytes(32).toString('hex') })),
  );
  const wrong = await stage.charge(charge);
  stage.say(`  key digest secret changed: the same key is ${wrong?.code} ${wrong?.problem}`);
  must('only the business key stood in the way', wrong?.problem === 'business-key-taken');
  await stage.restart(() => change(stage, () => ({ keyDigestSecret: kept.keyDigestSecret })));
  const right = await stage.charge(charge);
  must('put back, the same key is the same intent', right?.code === 201);
  must('one effect', (await stage.effects(charge.name)).length === 1);
  stage.say('  put back: 201, the same intent, one effect');
}

async function readCredentials(stage: Stage): Promise<Credentials> {
  return JSON.parse(await readFile(credentialsPath(stage.dataDirectory), 'utf8')) as Credentials;
}

/** The embedded stack keeps in this file what production has in its environment. */
async function change(stage: Stage, by: (old: Credentials) => Partial<Credentials>): Promise<void> {
  const old = await readCredentials(stage);
  const path = credentialsPath(stage.dataDirectory);
  await writeFile(path, JSON.stringify({ ...old, ...by(old) }), { mode: 0o600 });
}
