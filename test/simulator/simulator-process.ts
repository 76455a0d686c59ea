// The simulator as the operating system sees it: a real process that can really be killed.

import { transformFileSync } from '@swc/core';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { Client, freshDirectory } from './simulator-under-test';
import { own } from '../support/own-child';

const ROOT = resolve(__dirname, '../..');

/** Compiles the sources of this moment, so that no stale build is ever what is tested. */
export function compileSimulator(): string {
  const directory = freshDirectory();
  for (const file of readdirSync(join(ROOT, 'simulator')).filter((name) => name.endsWith('.ts'))) {
    const { code } = transformFileSync(join(ROOT, 'simulator', file), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    writeFileSync(join(directory, file.replace(/\.ts$/, '.js')), code);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return join(directory, 'main.js');
}

/** A process and everything it has printed. */
export class SimulatorProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(main: string, env: Record<string, string>) {
    const { PATH = '' } = process.env;
    this.#child = own(spawn(process.execPath, [main], { env: { PATH, ...env } }));
    this.#child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.#child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  /** A client of both ports, as soon as the process says that it is listening. */
  async listening(): Promise<Client> {
    const child = this.#child;
    while (!this.stdout.includes('\n')) {
      const ended = this.ended.then(() => Promise.reject(new Error(this.stderr)));
      await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    }
    const line = JSON.parse(this.stdout.split('\n')[0] ?? '') as Record<string, unknown>;
    expect(line['msg']).toBe('listening');
    return new Client({ port: Number(line['port']), adminPort: Number(line['admin_port']) });
  }

  async stop(...signals: NodeJS.Signals[]): Promise<number | null> {
    for (const signal of signals) this.#child.kill(signal);
    return this.ended;
  }
}
