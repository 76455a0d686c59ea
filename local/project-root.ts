/** Where the project lies, for code that runs from sources (Jest) and from dist/ alike. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROJECT_ROOT = rootAbove(__dirname);

/** Downloads that all stacks of this clone may share; that of a plain `npm start`. */
export const SHARED_CACHE = join(PROJECT_ROOT, '.resolute', 'cache');

/** The children's programs, compiled. From dist/local it is the dist that this file belongs to. */
export const DIST = __filename.endsWith('.js') ? dirname(__dirname) : join(PROJECT_ROOT, 'dist');

function rootAbove(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error(`No package.json above ${__dirname}`);
  return rootAbove(parent);
}
