/**
 * Pages for people, made on the server: no script, no foreign host, no build step. Whatever is put
 * into a template is text and is escaped; only a template is markup.
 */
import { createHash } from 'node:crypto';
import { type FastifyReply } from 'fastify';

/** Markup that was made by {@link html}. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** A template whose parts are escaped unless they are markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.map((string, index) => `${string}${textOf(parts[index] ?? '')}`);
  return new Markup(text.join(''));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

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
export function page(title: string, body: Markup): Markup {
  const style = new Markup(`<style>${STYLE}</style>`);
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
export function sendPage(reply: FastifyReply, { text }: Markup): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
    })
    .send(text);
}
