/** What every page of the desk has: the frame, who is signed in, and what is down. */
import { type Html, html, type Part } from '../html';
import { type SignedIn } from './session';

/** The state of what the desk does not need itself. */
export interface Surroundings {
  readonly temporal: boolean;
  /** Null where Temporal cannot be asked. */
  readonly worker: boolean | null;
}

/** A page for somebody signed in. */
export interface Page {
  readonly title: string;
  readonly who: SignedIn;
  readonly surroundings: Surroundings;
  readonly content: Part;
}

/** The whole document. `data-refresh`: desk.js renews the main part while nothing is being typed. */
export function page({ title, who, surroundings, content }: Page): Html {
  return document(
    title,
    html`<header>
        <a href="/desk">Resolute desk</a>
        <form method="post" action="/desk/session/end">
          ${proof(who)}<span>Signed in as <strong>${who.operator}</strong></span>
          <button>Sign out</button>
        </form>
      </header>
      <main data-refresh>${alarms(surroundings)}${content}</main>
      <footer>Times are UTC. This page renews itself every 10 seconds.</footer>`,
  );
}

/** A document without anybody signed in. */
export function document(title: string, body: Part): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Resolute</title>
        <link rel="stylesheet" href="/desk/desk.css" />
        <script src="/desk/desk.js" defer></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `;
}

/** The hidden field of every form; see session.ts. */
export function proof({ formProof }: SignedIn): Html {
  return html`<input type="hidden" name="form_proof" value="${formProof}" />`;
}

function alarms({ temporal, worker }: Surroundings): Part {
  if (!temporal) {
    return html`<p class="alarm" role="alert">
      Temporal cannot be reached. New intents are recorded and wait; decisions are recorded here and
      take effect where no look-up is needed.
    </p>`;
  }
  return worker === false
    ? html`<p class="alarm" role="alert">
        No worker asks for work. Nothing is sent and nobody is asked until one runs; decisions are
        recorded here.
      </p>`
    : null;
}

/** `2026-11-30 12:42:49Z`, readable by machines as well. */
export function time(at: Date | string | null): Part {
  if (at === null) return 'never';
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}Z</time>`;
}
