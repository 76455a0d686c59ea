/** Reads `/metrics` as Prometheus would: samples by name and labels. */

/** One sample. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples that are served there, with sums over those that match. */
export async function scrape(url: string) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const text = await response.text();
  const samples = parse(text);
  return {
    text,
    samples,
    /** The sum over all samples of that name that have these labels. */
    sum: (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      samples
        .filter((one) => one.name === name && hasAll(one.labels, labels))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function hasAll(
  labels: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

function parse(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(
        ([, key = '', content = '']) => [key, content] as const,
      );
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}
