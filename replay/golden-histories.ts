/** The recorded histories of this tree: a folder a workflow type, in it a folder a release. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { type NamedHistory } from './replay-report';

/** Names like `0.1.0/happy`, in order. Throws where the folder holds none: then nothing was checked. */
export function goldenHistories(folder: string): readonly NamedHistory[] {
  const files = readdirSync(folder)
    .sort()
    .flatMap((release) => readdirSync(join(folder, release)).map((file) => `${release}/${file}`));
  if (files.length === 0) throw new Error(`There are no histories in ${folder}.`);
  return files.map((file) => ({
    name: file.replace(/\.json$/, ''),
    history: historyFromJSON(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  }));
}
