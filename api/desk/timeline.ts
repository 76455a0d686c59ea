/**
 * An intent's life as a drawing: one lane for what was sent, one for what was learned, one for what people
 * did. It repeats what the lists below say in words, for the eye.
 */
import { type Journal } from '../../domain/journal';
import { type DecisionRow } from '../../store/decision-row';
import { type Html, html } from '../html';

const WIDTH = 960;
const LEFT = 90;
const RIGHT = 20;
const LANES = ['sent', 'learned', 'people'] as const;
const LANE_HEIGHT = 34;

interface Mark {
  readonly lane: (typeof LANES)[number];
  readonly at: number;
  /** End of a span, for attempts; null for moments. */
  readonly until: number | null;
  readonly word: string;
  readonly tone: 'good' | 'bad' | 'open';
}

/** Draws the journal and the decisions about it. */
export function timeline(journal: Journal, decisions: readonly DecisionRow[]): Html {
  const marks = marksOf(journal, decisions);
  const from = journal.createdAt;
  const to = Math.max(from + 1_000, ...marks.map((one) => one.until ?? one.at));
  // Waiting takes far longer than acting: the root pulls what happened first apart.
  const x = (at: number): number =>
    Math.round(LEFT + Math.sqrt((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT));
  const height = LANES.length * LANE_HEIGHT + 24;
  return html`<svg
    viewBox="0 0 ${WIDTH} ${height}"
    role="img"
    aria-label="Timeline: ${marks.length} events, ${Math.round((to - from) / 1_000)} seconds"
  >
    ${LANES.map(
      (lane, index) =>
        html`<text x="0" y="${yOf(index) + 4}">${lane}</text>
          <line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${yOf(index)}" y2="${yOf(index)}" />`,
    )}
    ${marks.map((mark) => draw(mark, x))}
    <text x="${LEFT}" y="${height - 4}">${clock(from)}</text>
    <text x="${WIDTH - RIGHT}" y="${height - 4}" text-anchor="end">${clock(to)}</text>
  </svg>`;
}

function draw(mark: Mark, x: (at: number) => number): Html {
  const y = yOf(LANES.indexOf(mark.lane));
  const title = html`<title>${clock(mark.at)} ${mark.word}</title>`;
  return mark.until === null
    ? html`<circle class="${mark.tone}" cx="${x(mark.at)}" cy="${y}" r="6">${title}</circle>`
    : html`<rect
        class="${mark.tone}"
        x="${x(mark.at)}"
        y="${y - 6}"
        width="${Math.max(4, x(mark.until) - x(mark.at))}"
        height="12"
        rx="3"
      >
        ${title}
      </rect>`;
}

function yOf(lane: number): number {
  return lane * LANE_HEIGHT + LANE_HEIGHT / 2;
}

function marksOf(
  { attempts, observations, cancelRequestedAt }: Journal,
  decisions: readonly DecisionRow[],
): readonly Mark[] {
  return [
    ...attempts.map((one): Mark => ({
      lane: 'sent',
      at: one.openedAt,
      until: one.sendDeadline,
      word: `${one.effect} attempt ${one.number}: ${one.verdict ?? 'open'}`,
      tone: one.verdict === 'applied' ? 'good' : one.verdict === null ? 'open' : 'bad',
    })),
    ...observations
      .filter((one) => one.source !== 'operator')
      .map(({ observedAt, source, finding }): Mark => ({
        lane: 'learned',
        at: observedAt,
        until: null,
        word: `${source}: ${finding.kind}`,
        tone: TONES[finding.kind] ?? 'open',
      })),
    ...decisions.map((one): Mark => ({
      lane: 'people',
      at: one.decidedAt.getTime(),
      until: null,
      word: `${one.operator}: ${one.kind}, ${one.state}`,
      tone: one.state === 'refused' ? 'bad' : one.state === 'effective' ? 'good' : 'open',
    })),
    ...(cancelRequestedAt === null
      ? []
      : [
          {
            lane: 'people',
            at: cancelRequestedAt,
            until: null,
            word: 'cancel accepted',
            tone: 'open',
          } satisfies Mark,
        ]),
  ];
}

const TONES: Readonly<Record<string, Mark['tone']>> = {
  applied: 'good',
  reverted: 'good',
  rejected: 'bad',
  conflict: 'bad',
};

function clock(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)}Z`;
}
