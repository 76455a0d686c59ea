/** `/docs`: the published document for people. It shows what the document says and knows no more. */
import { type OpenApiDocument } from '../openapi/document';
import { html, type Html } from '../html';
import { page } from './page';
import { prose } from './prose';

/** What of an operation object is shown. */
interface Shown {
  readonly summary: string;
  readonly description?: string;
  /** Scopes by whose token. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Readonly<Record<string, ShownBody>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: object }>
  >;
}

interface ShownBody {
  readonly schema: unknown;
  readonly examples?: { readonly usual: { readonly value: unknown } };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

/** Renders it. */
export function referencePage(document: OpenApiDocument): Html {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      heading: `${method.toUpperCase()} ${path}`,
      // The document is our own: `document.ts` puts these members into every operation.
      shown: operation as unknown as Shown,
    })),
  );
  const schemas = Object.entries(document.components.schemas);
  return page(
    'Resolute: the HTTP API',
    html`<h1>Resolute: the HTTP API</h1>
      <p>
        Made from <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1), which this process
        answers.
      </p>
      <ul>
        ${operations.map(
          ({ heading, shown }) =>
            html`<li>
              <a href="#${anchor(heading)}"><code>${heading}</code></a> ${shown.summary}
            </li>`,
        )}
      </ul>
      ${operations.map(({ heading, shown }) => section(document, heading, shown))}
      <h2>Shapes</h2>
      ${schemas.map(
        ([name, schema]) =>
          html`<h3 id="${anchor(`shape ${name}`)}">${name}</h3>
            ${code(schema)}`,
      )}`,
  );
}

function section(document: OpenApiDocument, heading: string, shown: Shown): Html {
  return html`<h2 id="${anchor(heading)}">${shown.summary}<br /><code>${heading}</code></h2>
    <p>${whoMay(shown)}</p>
    ${shown.description === undefined ? '' : html`<p>${prose(shown.description)}</p>`}
    ${parameterTable(document, shown)} ${bodyOf(shown)}
    <h3>Answers</h3>
    <table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">When</th>
          <th scope="col">Body</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(shown.responses).map(
          ([status, { description, content }]) =>
            html`<tr>
              <td>${status}</td>
              <td>${prose(description)}</td>
              <td>${bodies(content)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function whoMay({ security }: Shown): string {
  const ways = security
    .flatMap((way) => Object.entries(way))
    .map(([whose, scopes]) =>
      whose === 'operator' ? 'an operator’s token' : `a token with the scope ${scopes.join(', ')}`,
    );
  return ways.length === 0 ? 'Needs no token.' : `Needs ${ways.join(', or ')}.`;
}

function parameterTable({ components }: OpenApiDocument, { parameters }: Shown): Html | string {
  if (parameters.length === 0) return '';
  // Our own document again: `headers.ts` is where these parameters are written.
  const shared = components['parameters'] as unknown as Readonly<Record<string, Parameter>>;
  const rows = parameters.flatMap((parameter) => {
    if (!('$ref' in parameter)) return [parameter];
    return [shared[parameter.$ref.split('/').at(-1) ?? '']].filter((one) => one !== undefined);
  });
  return html`<h3>Parameters</h3>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Where</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, in: where, required, description = '', schema }) =>
            html`<tr>
              <td><code>${name}</code></td>
              <td>${where}${required === true ? ', required' : ''}</td>
              <td>${prose(description)} <code>${JSON.stringify(schema)}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function bodyOf({ requestBody }: Shown): Html | string {
  const json = requestBody?.content['application/json'];
  if (json === undefined) return '';
  const { examples } = json;
  return html`<h3>Body</h3>
    <p>${prose(requestBody?.description ?? 'For example:')}</p>
    ${examples === undefined ? '' : code(examples.usual.value)}
    <details>
      <summary>Its schema</summary>
      ${code(json.schema)}
    </details>`;
}

/** Each kind of body: a shape by its name, a problem by the types that it may have. */
function bodies(content: object): readonly Html[] {
  return Object.entries(content).map(([type, { schema }]: [string, BodySchema]) => {
    const types = schema.properties?.type.enum;
    if (types !== undefined) {
      return html`${types.map(
        (one) =>
          html`<a href="${one}"><code>${one}</code></a
            ><br />`,
      )}`;
    }
    const name = schema.$ref?.split('/').at(-1);
    if (name === undefined) return html`${type}`;
    return html`<a href="#${anchor(`shape ${name}`)}">${name}</a>`;
  });
}

interface BodySchema {
  readonly schema: {
    readonly $ref?: string;
    readonly properties?: { readonly type: { readonly enum: readonly string[] } };
  };
}

function code(value: unknown): Html {
  return html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

function anchor(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
