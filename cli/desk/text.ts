/** Texts for an operator's screen: nothing that came from elsewhere moves the cursor or turns the line. */

/** Control and format characters (bidirectional ones among them) are shown as what they are: foreign. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]|\p{Cf}/gu, '\u{FFFD}');
}

/** Names and values below each other, the values in one column. */
export function pairs(rows: readonly (readonly [name: string, value: string | null])[]): string {
  const shown = rows.filter(([, value]) => value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value ?? ''}\n`).join('');
}

/** RFC 3339 to the second, in UTC; nothing for never. */
export function moment(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 19).replace('T', ' ')} Z`;
}
