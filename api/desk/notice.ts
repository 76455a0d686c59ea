/** What came of the last form, in one sentence above the page. */
import { html, type Part } from '../html';

/** `alert`: nothing was changed. */
export interface Notice {
  readonly tone: 'done' | 'alert';
  readonly text: string;
}

/** The line; nothing without a notice. Screen readers say it at once. */
export function noticeLine(notice: Notice | null): Part {
  return (
    notice !== null &&
    html`<p class="${notice.tone}" role="${notice.tone === 'done' ? 'status' : 'alert'}">
      ${notice.text}
    </p>`
  );
}
