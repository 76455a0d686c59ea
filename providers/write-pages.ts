/** `npm run provider-pages`: writes a page for every provider that can be registered. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractPage } from './contract-page';
import { describedProviders } from './registry';

const FOLDER = join('docs', 'providers');

mkdirSync(FOLDER, { recursive: true });
for (const provider of describedProviders()) {
  writeFileSync(join(FOLDER, `${provider.name}.md`), contractPage(provider));
}
process.stdout.write(`The pages in ${FOLDER} are up to date.\n`);
