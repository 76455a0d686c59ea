/** Errors of the desk as pages: what happened, and the way back. */
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answerTo, logError } from '../error-handler';
import { html } from '../html';
import { document } from './layout';

/** Fastify's error handler for the desk's scope. */
export function showError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, body } = answerTo(error);
  logError(error, status, request);
  const { title, detail } = body as { readonly title: string; readonly detail?: string };
  const page = document(
    title,
    html`<main>
      <h1>${title}</h1>
      <p>${DESK_DETAILS[status] ?? detail ?? ''}</p>
      <p><a href="/desk">Back to the queue</a></p>
    </main>`,
  );
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': 'text/html; charset=utf-8' })
    .send(page.text);
}

/** What the API says to callers about keys means nothing to an operator. */
const DESK_DETAILS: Readonly<Record<number, string>> = {
  404: 'There is no such intent or decision.',
  500: 'Nothing was changed. The log has the details.',
  503: 'PostgreSQL cannot be reached, and the desk shows nothing without it. Nothing was changed.',
};
