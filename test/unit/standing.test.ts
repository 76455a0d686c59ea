/** The decision rules one by one (docs/decision-rules.md); numbers in titles are the rules'. */
import { standing } from '../../domain/standing';
import { type ProviderContract } from '../../domain/contract';
import { type Journal } from '../../domain/journal';
import {
  ABSENT,
  answer,
  APPLIED,
  at,
  attempt,
  BLIND,
  DECLINED,
  first,
  FROZEN,
  FULL,
  journal,
  KEY,
  KEY_ONLY,
  LOOK_UP,
  LOOK_UP_ONLY,
  lookUp,
  LOST,
  NOT_SENT,
  PENDING,
  seen,
} from '../support/journal-of';

function stepAt(second: number, contract: ProviderContract, of: Journal) {
  return standing(at(second, contract, of)).step;
}

function statusAt(second: number, contract: ProviderContract, of: Journal) {
  return standing(at(second, contract, of)).status;
}

describe('rule 1: nothing sent', () => {
  it('sends attempt 1 under generation 1', () => {
    expect(standing(at(0, FULL, journal([])))).toMatchObject({
      status: 'accepted',
      step: { kind: 'send', effect: 'apply', number: 1, generation: 1 },
    });
  });

  it('goes back to accepted when no byte left, and tries again spaced out, beyond the cap', () => {
    const attempts = [0, 1, 2, 3, 4].map((second, index) => attempt(index + 1, second));
    const refused = journal(
      attempts,
      attempts.map((one) => answer(one, one.openedAt / 1000, NOT_SENT)),
    );
    expect(statusAt(4, FULL, refused)).toBe('accepted');
    expect(stepAt(4, FULL, refused)).toMatchObject({ kind: 'wait', until: 9_000 });
    expect(stepAt(9, FULL, refused)).toMatchObject({ kind: 'send', number: 6, generation: 1 });
  });

  it('waits as long as a rate limit asks for', () => {
    const limited = journal(
      [first],
      [answer(first, 0, { ...NOT_SENT, retryAfterMs: 60_000 } as typeof NOT_SENT)],
    );
    expect(stepAt(59, FULL, limited)).toMatchObject({ kind: 'wait', until: 60_000 });
    expect(stepAt(60, FULL, limited)).toMatchObject({ kind: 'send', number: 2 });
  });
});

describe('rule 2: sent and unresolved', () => {
  it('waits for the answer while the send may still get one', () => {
    expect(stepAt(1, FULL, journal([first]))).toMatchObject({ kind: 'wait', until: 2_000 });
    expect(statusAt(1, FULL, journal([first]))).toBe('executing');
  });

  it('is unknown once the deadline passed, and looks up on the schedule', () => {
    expect(statusAt(2, FULL, journal([first]))).toBe('unknown');
    expect(stepAt(2.1, FULL, journal([first]))).toMatchObject({ kind: 'wait', until: 2_200 });
    expect(stepAt(2.2, FULL, journal([first]))).toMatchObject({ kind: 'look_up' });
  });

  it('never sends on doubt where a look-up can prove absence', () => {
    for (let second = 2; second < 119; second += 0.1) {
      expect(stepAt(second, FULL, journal([first], [lookUp(2, LOST)])).kind).not.toBe('send');
    }
  });

  it('succeeds when the look-up shows the effect', () => {
    const found = journal([first], [answer(first, 2, LOST), lookUp(3, APPLIED)]);
    expect(stepAt(3, FULL, found)).toMatchObject({ kind: 'finish', outcome: 'succeeded' });
  });

  it('does not believe a notification where the provider can be asked', () => {
    const told = journal(
      [first],
      [seen('notification', APPLIED, { attempt: null, asked: 3, at: 3 })],
    );
    expect(stepAt(3, FULL, told).kind).toBe('look_up');
  });

  it('asks once more right after the proof time, whatever the schedule says', () => {
    const asked = journal(
      [first],
      [answer(first, 2, LOST), lookUp(2.3, ABSENT), lookUp(4, ABSENT)],
    );
    expect(stepAt(4.4, FULL, asked)).toMatchObject({ kind: 'wait', until: 4_501 });
    expect(stepAt(4.6, FULL, asked).kind).toBe('look_up');
  });
});

describe('rule 3: when a miss is proof', () => {
  // Proof time of an attempt opened at 0: 2 s budget + 0.5 s guard + 1 s horizon + 1 s lag = 4.5 s.
  it.each([
    ['asked before the proof time', 4.5, 'unknown'],
    ['asked after the proof time', 4.6, 'accepted'],
  ])('%s: %s s leaves it %s', (_title, second, status) => {
    const missed = journal([first], [answer(first, 2, LOST), lookUp(second, ABSENT)]);
    expect(statusAt(5, FULL, missed)).toBe(status);
  });

  it('is dated by when it was asked, not by when it was recorded', () => {
    const late = seen('look_up', ABSENT, { attempt: null, asked: 4, at: 9 });
    expect(statusAt(9, FULL, journal([first], [answer(first, 2, LOST), late]))).toBe('unknown');
  });

  it('proves nothing where the contract says absence is no proof', () => {
    const weak = { ...LOOK_UP_ONLY, lookUp: { ...LOOK_UP, absenceIsProof: false } };
    const missed = journal([first], [answer(first, 2, LOST), lookUp(10, ABSENT)]);
    expect(statusAt(10, weak, missed)).toBe('unknown');
  });

  it('proves nothing once the look-up no longer sees back to the first send', () => {
    const short = { ...FULL, lookUp: { ...LOOK_UP, seesBackMs: 10_000 } };
    const missed = journal([first], [answer(first, 2, LOST), lookUp(11, ABSENT)]);
    expect(statusAt(11, short, missed)).toBe('unknown');
  });

  it('proves nothing after the effect was shown as pending', () => {
    const seenPending = journal([first], [lookUp(3, PENDING), lookUp(10, ABSENT)]);
    expect(statusAt(10, FULL, seenPending)).toBe('pending');
  });

  it('must be late enough for every attempt that it covers', () => {
    const second = attempt(2, 6);
    const both = journal([first, second], [lookUp(5, LOST), lookUp(8, ABSENT)]);
    expect(statusAt(9, FULL, both)).toBe('unknown');
  });
});

describe('rule 4: repeating under the key', () => {
  it('repeats the same generation where nobody can be asked', () => {
    const lost = journal([first], [answer(first, 2, LOST)]);
    expect(stepAt(2.2, KEY_ONLY, lost)).toMatchObject({ kind: 'send', number: 2, generation: 1 });
  });

  it('spaces repeats out', () => {
    const second = attempt(2, 2.2);
    const lost = journal([first, second], [answer(first, 2, LOST), answer(second, 4.2, LOST)]);
    expect(stepAt(4.5, KEY_ONLY, lost)).toMatchObject({ kind: 'wait', until: 4_700 });
  });

  it('needs the whole repeat to fit into the window', () => {
    // Budget, guard and horizon are 3.5 s: with a window of 6 s the last repeat goes before 2.5 s.
    const short = { ...KEY_ONLY, key: { ...KEY, windowMs: 6_000 } };
    const lost = journal([first], [answer(first, 2, LOST)]);
    expect(stepAt(2.4, short, lost).kind).toBe('send');
    expect(stepAt(2.5, short, lost).kind).toBe('review');
  });

  it('never repeats in an unpublished window', () => {
    const secret = { ...KEY_ONLY, key: { ...KEY, windowMs: 'unpublished' as const } };
    expect(stepAt(3, secret, journal([first], [answer(first, 2, LOST)])).kind).toBe('review');
  });
});

describe('rule 5: a saved error', () => {
  const frozen = journal([first], [answer(first, 1, FROZEN)]);

  it('is not repeated under its key', () => {
    expect(stepAt(3, KEY_ONLY, frozen).kind).toBe('review');
  });

  it('lets the generation grow once absence is proven', () => {
    const proven = journal([first], [answer(first, 1, FROZEN), lookUp(5, ABSENT)]);
    expect(stepAt(5, FULL, proven)).toMatchObject({ kind: 'send', number: 2, generation: 2 });
  });

  it('a plain loss repeats the old key, so that a delayed first request stays the same one', () => {
    const proven = journal([first], [answer(first, 2, LOST), lookUp(5, ABSENT)]);
    expect(stepAt(5, FULL, proven)).toMatchObject({ kind: 'send', number: 2, generation: 1 });
  });
});

describe('rule 6: not applied is said of the effect', () => {
  it('fails on a decline and never retries', () => {
    expect(standing(at(1, FULL, journal([first], [answer(first, 1, DECLINED)])))).toMatchObject({
      status: 'failed',
      belief: { kind: 'rejected', code: 'card_declined', declined: true },
    });
  });

  it('gives up when the cap of attempts is proven absent', () => {
    const attempts = [attempt(1, 0), attempt(2, 10), attempt(3, 20)];
    const misses = [lookUp(5, ABSENT), lookUp(15, ABSENT), lookUp(25, ABSENT)];
    expect(stepAt(25, FULL, journal(attempts, misses))).toMatchObject({
      kind: 'finish',
      outcome: 'failed',
    });
  });

  it('a new attempt under an old key waits out the edge of its window', () => {
    // The first send at 0 under a window of 10 s: inside until 6.5 s, surely forgotten after 13.5 s.
    const short = { ...FULL, key: { ...KEY, windowMs: 10_000 } };
    const absentAt = (second: number) =>
      journal([first], [answer(first, 2, LOST), lookUp(second, ABSENT)]);
    expect(stepAt(6.4, short, absentAt(6.4)).kind).toBe('send');
    expect(stepAt(7, short, absentAt(7))).toMatchObject({ kind: 'wait', until: 13_500 });
    expect(stepAt(13.5, short, absentAt(7)).kind).toBe('send');
  });

  it('a later attempt that was not sent proves nothing about the first', () => {
    const second = attempt(2, 2.2);
    const mixed = journal([first, second], [answer(first, 2, LOST), answer(second, 2.3, NOT_SENT)]);
    expect(standing(at(2.3, KEY_ONLY, mixed)).belief.kind).toBe('doubt');
  });

  it('a rejected repeat closes the first where rejections are saved under the key', () => {
    const second = attempt(2, 2.2);
    const both = journal([first, second], [answer(first, 2, LOST), answer(second, 3, DECLINED)]);
    expect(statusAt(3, KEY_ONLY, both)).toBe('failed');
  });

  it('a rejected repeat leaves a first that may still land open where they are not saved', () => {
    const unsaved = { ...KEY_ONLY, key: { ...KEY, savesRejections: false } };
    const second = attempt(2, 2.2);
    const both = journal([first, second], [answer(first, 2, LOST), answer(second, 3, DECLINED)]);
    expect(statusAt(3, unsaved, both)).not.toBe('failed');
    const quiet = attempt(2, 3.6);
    const later = journal([first, quiet], [answer(first, 2, LOST), answer(quiet, 4, DECLINED)]);
    expect(statusAt(4, unsaved, later)).toBe('failed');
  });

  it('a rejection waits for a look-up where something on the way may repeat the request', () => {
    const repeating = { ...LOOK_UP_ONLY, send: { ...FULL.send, mayRepeat: true } };
    const declined = [answer(first, 1, DECLINED)];
    expect(statusAt(1, repeating, journal([first], declined))).toBe('unknown');
    expect(statusAt(5, repeating, journal([first], [...declined, lookUp(5, ABSENT)]))).toBe(
      'failed',
    );
  });

  it('a listed decline closes an attempt only if it can be told which', () => {
    expect(statusAt(3, FULL, journal([first], [lookUp(3, DECLINED)]))).toBe('failed');
    const two = journal([first, attempt(2, 2.2)], [lookUp(3, DECLINED)]);
    expect(statusAt(5, KEY_ONLY, two)).not.toBe('failed');
  });
});

describe('rule 7: patience', () => {
  it.each([
    ['an unknown', [answer(first, 2, LOST)]],
    ['a pending', [answer(first, 1, PENDING)]],
  ])('ends %s in review, never in failure', (_title, observations) => {
    expect(statusAt(119, FULL, journal([first], observations))).not.toBe('in_review');
    expect(standing(at(120, FULL, journal([first], observations)))).toMatchObject({
      status: 'in_review',
      step: { kind: 'review' },
    });
  });

  it('goes on looking up at the slowest step', () => {
    const asked = journal([first], [answer(first, 2, LOST), lookUp(119, LOST)]);
    expect(stepAt(120, FULL, asked)).toMatchObject({ kind: 'review', lookUpAt: 124_000 });
  });

  it('lets late evidence end a review', () => {
    const found = journal([first], [answer(first, 2, LOST), lookUp(500, APPLIED)]);
    expect(statusAt(500, FULL, found)).toBe('succeeded');
  });

  it('goes to review at once where nothing could ever be learned', () => {
    expect(stepAt(2, BLIND, journal([first], [answer(first, 2, LOST)]))).toMatchObject({
      kind: 'review',
      lookUpAt: null,
    });
  });
});

describe('rule 9: contradictions', () => {
  it.each([
    [
      'a difference to what was asked for',
      [answer(first, 1, { kind: 'conflict' as const, what: 'amount is 999' })],
    ],
    [
      'two effects',
      [answer(first, 1, APPLIED), lookUp(3, { kind: 'applied' as const, providerId: 'ch_2' })],
    ],
    ['an effect after absence was proven', [lookUp(5, ABSENT), lookUp(9, APPLIED)]],
    [
      'a reversal that was not ours',
      [lookUp(5, { kind: 'reverted' as const, providerId: 'ch_1' })],
    ],
  ])('%s goes to a person', (_title, observations) => {
    expect(statusAt(10, FULL, journal([first], observations))).toBe('in_review');
  });

  it('names both pieces', () => {
    const two = journal([first], [lookUp(5, ABSENT), lookUp(9, APPLIED)]);
    expect(standing(at(9, FULL, two)).reason).toMatch(/ch_1 exists.*proven without/);
  });
});
