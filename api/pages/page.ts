/** The frame of the pages that document the API: no script, no foreign host, no build step. */
import { createHash } from 'node:crypto';
import { type FastifyReply } from 'fastify';
import { Html, html } from '../html';

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem; color: #1b1b1b; background: #fff }
h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem }
h2 code { font-size: 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem }
pre { background: #f4f4f4; padding: .75rem; overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid #ddd }
a { color: #0b4f9e }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } pre { background: #242424 } a { color: #8ab8f0 }
  h2, th, td { border-color: #444 }
}
`;

/** Nothing may be loaded, run or framed; the one style sheet is known by its digest. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A whole page. */
export function page(title: string, body: Html): Html {
  const style = new Html(`<style>${STYLE}</style>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
}

/** Answers with a page. */
export function sendPage(reply: FastifyReply, { text }: Html): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
    })
    .send(text);
}
