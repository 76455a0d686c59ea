// Sources to dist/, when the sources are not those of the last build.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runStep } from './run.mjs';

/** Never part of the build. Hidden directories, the data directory among them, are left out too. */
const IGNORED = new Set(['node_modules', 'dist', 'coverage', 'test', 'docs']);

const SOURCE = /\.(ts|sql)$|^tsconfig.*\.json$|^package-lock\.json$/;

/** What the compiler leaves behind because it is no TypeScript. */
const COPIED = ['store/migrations'];

export function isBuilt(root) {
  return readStamp(root) === fingerprint(root);
}

/** The stamp goes first and comes last: a build that was interrupted counts as none. */
export async function build(root) {
  const stamp = fingerprint(root);
  rmSync(stampPath(root), { force: true });
  const node = (...args) => ({ file: process.execPath, args, cwd: root });
  await runStep(
    { title: 'Compiling', advice: 'Correct the errors above, then try again.' },
    node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'),
  );
  for (const directory of COPIED) {
    // Emptied first, so that a migration that was renamed does not stay under both names.
    rmSync(join(root, 'dist', directory), { recursive: true, force: true });
    cpSync(join(root, directory), join(root, 'dist', directory), { recursive: true });
  }
  await runStep(
    { title: 'Bundling the workflows', advice: 'Correct the errors above, then try again.' },
    node('dist/workers/bundle.js'),
  );
  mkdirSync(dirname(stampPath(root)), { recursive: true });
  writeFileSync(stampPath(root), stamp);
}

function stampPath(root) {
  return join(root, 'dist', '.build-stamp');
}

function readStamp(root) {
  try {
    return readFileSync(stampPath(root), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Of names and contents, not of times: a fresh checkout of the same sources needs no build. */
function fingerprint(root) {
  const hash = createHash('sha256');
  for (const path of sourcesIn(root)) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function sourcesIn(directory) {
  const entries = readdirSync(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) return SOURCE.test(entry.name) ? [path] : [];
    return IGNORED.has(entry.name) || entry.name.startsWith('.') ? [] : sourcesIn(path);
  });
}
