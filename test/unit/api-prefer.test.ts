import { readPrefer } from '../../api/prefer';

test.each([
  [undefined, 10, null],
  ['', 10, null],
  ['wait=3', 3, 'wait=3'],
  ['Wait = 3', 3, 'wait=3'],
  ['wait="3"', 3, 'wait=3'],
  ['wait=3; x=y', 3, 'wait=3'],
  ['wait=0', 0, 'wait=0'],
  ['wait=60', 60, 'wait=60'],
  ['wait=61', 60, 'wait=60'],
  ['wait=999999999', 60, 'wait=60'],
  ['wait=99999999999999999999', 60, 'wait=60'],
  ['x="a, wait=0, respond-async", wait=4', 4, 'wait=4'],
  ['x="a\\", wait=0", wait=4', 4, 'wait=4'],
  ['x="a, wait=4', 4, 'wait=4'],
  ['wait=-1', 10, null],
  ['wait=1.5', 10, null],
  ['wait=soon', 10, null],
  ['wait', 10, null],
  ['wait=2, wait=9', 2, 'wait=2'],
  ['respond-async', 0, 'respond-async'],
  ['RESPOND-ASYNC', 0, 'respond-async'],
  ['respond-async, wait=5', 5, 'wait=5'],
  ['respond-async, wait=soon', 0, 'respond-async'],
  ['return=minimal, wait=4', 4, 'wait=4'],
  ['return=minimal', 10, null],
])('Prefer: %s waits %d s', (header, seconds, applied) => {
  expect(readPrefer(header)).toEqual({ seconds, applied });
});
