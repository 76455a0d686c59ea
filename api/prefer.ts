/** How long a caller wants to wait for the outcome (RFC 7240, `wait` and `respond-async`). */

const DEFAULT_SECONDS = 10;
const MOST_SECONDS = 60;

/** What stands between commas, but for those of a quoted value. */
const PREFERENCE = /(?:"(?:\\.|[^"\\])*"|[^,])+/g;

/** The wait, and what `Preference-Applied` says of it; null where nothing was preferred. */
export interface Wait {
  readonly seconds: number;
  readonly applied: string | null;
}

/**
 * Reads the header's value (lines joined by commas, as Node does). What is not understood is ignored,
 * as the RFC asks; of a preference given twice the first counts; more than 60 s becomes 60 s.
 * `respond-async` beside `wait` means: wait that long, then answer without the outcome, as always.
 */
export function readPrefer(header: string | undefined): Wait {
  const preferences = parse(header ?? '');
  const wait = preferences.get('wait') ?? '';
  if (/^\d+$/.test(wait)) {
    const seconds = Math.min(Number(wait), MOST_SECONDS);
    return { seconds, applied: `wait=${seconds}` };
  }
  if (preferences.has('respond-async')) return { seconds: 0, applied: 'respond-async' };
  return { seconds: DEFAULT_SECONDS, applied: null };
}

function parse(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const part of header.match(PREFERENCE) ?? []) {
    // Parameters behind a semicolon are not defined for either preference.
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=');
    const token = name.trim().toLowerCase();
    if (!preferences.has(token)) preferences.set(token, value.trim().replace(/^"(.*)"$/, '$1'));
  }
  return preferences;
}
