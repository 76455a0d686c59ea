/** The texts of descriptions and problems, as pages show them. */
import { html, type Html } from '../html';

/** What stands between back-quotes is code; all of it is escaped. A lone back-quote is one. */
export function prose(text: string): Html {
  // Of the pieces every second one is what the expression caught.
  const pieces = text.split(/`([^`]+)`/);
  return html`${pieces.map((piece, index) =>
    index % 2 === 1 ? html`<code>${piece}</code>` : piece,
  )}`;
}
