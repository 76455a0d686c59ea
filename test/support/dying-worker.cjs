// The real worker, as built, that kills itself with SIGKILL the first time it reaches the crash point
// named by DIE_AT: no handler runs, no connection is closed, as when a machine loses power. At the point
// named by FREEZE_AT it stops itself with SIGSTOP instead, in the very line, until somebody thaws it.
const { runWorkerProcess } = require('../../dist/workers/run.js');

let frozen = false;

runWorkerProcess(process.env, (point) => {
  if (point === process.env.DIE_AT) process.kill(process.pid, 'SIGKILL');
  if (point !== process.env.FREEZE_AT || frozen) return;
  frozen = true;
  process.kill(process.pid, 'SIGSTOP');
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
