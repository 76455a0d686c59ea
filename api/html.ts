/** HTML as values: whatever is put into a template is escaped, unless it is HTML itself. */

/** Markup that is safe to send. Only the tag below makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; null and false are nothing, lists are joined. */
export type Part = Html | string | number | null | false | readonly Part[];

/** A piece of a page: html`<b>${whatever}</b>`. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((fixed, index) => fixed + textOf(parts[index] ?? null)).join('');
  return new Html(text);
}

function textOf(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escape(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
