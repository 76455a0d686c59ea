// One install and build at a time in a clone. The lock is a file that names its process; a lock
// whose process is gone is stale and taken over. link(2) makes name and content in one step, so a
// reader never meets an empty lock.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export async function withLock(root, work) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const lock = join(root, 'dist', '.bootstrap-lock');
  await acquire(lock);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

async function acquire(lock) {
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) }));
  try {
    let told = false;
    while (!tryLink(own, lock)) {
      const text = read(lock);
      if (text !== undefined && !isHeld(text)) discardStale(lock, text);
      else {
        if (!told) console.log(`Waiting for another build in this clone (${lock})…`);
        told = true;
        await delay(100);
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Moved aside and looked at, not just removed: another waiter may have taken the stale lock over
 * between our look and our move, and its fresh lock must be put back.
 */
function discardStale(lock, staleText) {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== staleText) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function isHeld(text) {
  const { pid, startedAt } = JSON.parse(text);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return startTimeOf(pid) === startedAt;
}

/** With the pid it names one process; elsewhere than on Linux the pid alone has to do. */
function startTimeOf(pid) {
  const boot = read('/proc/sys/kernel/random/boot_id');
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  return `${boot}${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}
