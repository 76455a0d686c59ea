// The suites that take longest begin first, so that at the end no worker waits for one of them. Jest knows
// how long each took from its cache; on a fresh clone there is none, and it goes by the size of the files.
const { default: Sequencer } = require('@jest/test-sequencer');

/** By what a suite is made of, not by seconds: campaigns, explorations, worlds of their own, the rest. */
const FIRST = ['faults/campaign.', 'model/', 'faults/', 'workflow/', 'local/', 'e2e/', 'store/'];

const rank = ({ path }) => {
  const found = FIRST.findIndex((part) => path.includes(`/test/${part}`));
  return found < 0 ? FIRST.length : found;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
