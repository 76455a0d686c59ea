// The real worker, as built, that kills itself with SIGKILL the first time it reaches the crash point
// named by DIE_AT: no handler runs, no connection is closed, as when a machine loses power.
const { runWorkerProcess } = require('../../dist/workers/run.js');

runWorkerProcess(process.env, (point) => {
  if (point === process.env.DIE_AT) process.kill(process.pid, 'SIGKILL');
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
