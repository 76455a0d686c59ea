/** The page that a problem's `type` leads to. */
import { type ProblemName, PROBLEMS } from '../problem';
import { html, type Html } from '../html';
import { page } from './page';
import { prose } from './prose';
import { PROBLEM_TEXTS } from './problem-texts';

/** Renders it. */
export function problemPage(name: ProblemName): Html {
  const { status, title } = PROBLEMS[name];
  const { happened, todo } = PROBLEM_TEXTS[name];
  return page(
    `${name}: ${title}`,
    html`<h1><code>${name}</code></h1>
      <p>
        ${title} HTTP status ${status}${name === 'effect-rejected' ? ', or 402 for a decline' : ''}.
      </p>
      <h2>What happened</h2>
      <p>${prose(happened)}</p>
      <h2>What to do</h2>
      <p>${prose(todo)}</p>
      <p><a href="/docs">All calls and their answers</a></p>`,
  );
}
