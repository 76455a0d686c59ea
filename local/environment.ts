/**
 * What a child may know of our own environment. Variables that would silently point it elsewhere (a
 * developer's PGHOST, another Temporal address, a DATABASE_URL) are taken out; the rest is left, so
 * that proxies, locales and log levels keep working.
 */
import { SETTING_VARIABLES } from './settings';

const STEERING = /^(PG[A-Z]+|TEMPORAL_.*|DATABASE_URL|PORT|HOST)$/;

/** Above `info` the children would not print the lines by which we know that they are ready. */
function hidesReadiness(name: string, value: string | undefined): boolean {
  return name === 'RESOLUTE_LOG_LEVEL' && !/^(trace|debug|info)$/.test(value ?? '');
}

export function quietEnvironment(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name, value]) =>
      !STEERING.test(name) && !SETTING_VARIABLES.includes(name) && !hidesReadiness(name, value),
  );
  return { ...Object.fromEntries(kept), ...additions };
}
