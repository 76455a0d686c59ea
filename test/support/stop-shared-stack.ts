/** Jest's global tear-down. */
import { rmSync } from 'node:fs';
import { stopSharedStack } from './start-shared-stack';

export default async function tearDown(): Promise<void> {
  const directory = await stopSharedStack();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
