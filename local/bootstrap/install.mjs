// `npm ci`, when what lies in node_modules is not what package-lock.json asks for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from './run.mjs';

/**
 * npm notes what it installed in node_modules/.package-lock.json, as the last thing it does. That is
 * compared, rather than a stamp of our own, so that an `npm ci` or `npm install` by hand counts as
 * well, and one that was interrupted does not.
 */
export function isInstalled(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  return (
    Object.entries(wanted).every(([path, { version, optional, devOptional }]) =>
      present[path] === undefined
        ? path === '' || optional || devOptional
        : present[path].version === version,
    ) && Object.keys(present).every((path) => wanted[path] !== undefined)
  );
}

export async function install(root) {
  // Started by npm, we use that very npm; else the one on PATH.
  const npm = process.env.npm_execpath;
  const [file, ...args] = npm === undefined ? ['npm'] : [process.execPath, npm];
  // The build needs the development packages, whatever NODE_ENV says; PostgreSQL is an optional one.
  const options = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  await runStep(
    {
      title: 'Installing packages',
      advice: 'Check that the npm registry can be reached, then try again.',
    },
    { file, args: [...args, ...options], cwd: root },
  );
}

function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch (error) {
    // A half-written file counts as none: it is installed anew.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
