/**
 * Whether an answer is one that the published document promises: its status, its media type, its
 * body. Unknown members are faults here, so that a member that is answered is a member that is
 * described; readers of the document are not that strict.
 */
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openApiDocument, type OpenApiDocument } from '../../api/openapi/document';
import { createOperations } from '../../operations/registry';
import { type Reply } from './intent-client';

/** An answer, as far as the document speaks of it. */
export interface Answered {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** The document of every registered operation. */
export const DOCUMENT: OpenApiDocument = openApiDocument(createOperations([]).values());

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
ajv.addSchema(closed({ $id: 'document', ...DOCUMENT }) as object);

/** What is wrong with an answer, each in one line; nothing where it is as promised. */
export function undocumented(answered: Answered): readonly string[] {
  const { method, url, status, contentType = '', body } = answered;
  const path = pathOf(url);
  // What no path takes is 404 or 405, in the form of every problem.
  const item = path === undefined ? undefined : DOCUMENT.paths[path];
  const operation = item?.[method.toLowerCase()];
  const name = `${method} ${path ?? url} ${status}`;
  if (operation === undefined) {
    const ok = status === 404 || status === 405 || status === 400;
    return [...(ok ? [] : [`${name}: no such operation`]), ...faults(name, PROBLEM, body)];
  }
  const responses = operation['responses'] as Readonly<Record<string, ResponseObject>>;
  const response = responses[String(status)];
  if (response === undefined) return [`${name}: no such answer`];
  const [type = ''] = contentType.split(';');
  const schema = response.content?.[type]?.schema;
  if (schema === undefined) return [`${name}: not ${type}`];
  return typeof body === 'string' ? [] : faults(name, schema, body);
}

/** Throws where the document does not promise this reply to this request. */
export function documented(
  { status, headers, body }: Reply,
  { method, url }: { readonly method: string; readonly url: string },
): void {
  const contentType = headers.get('content-type') ?? undefined;
  const wrong = undocumented({ method, url: new URL(url).pathname, status, contentType, body });
  if (wrong.length > 0) throw new Error(`not as documented: ${wrong.join('; ')}`);
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };

function faults(name: string, schema: object, body: unknown): readonly string[] {
  const validate = ajv.compile(closed(absolute(schema)) as object);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) =>
      `${name}: ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function pathOf(url: string): string | undefined {
  const [pathname = ''] = url.split('?');
  return Object.keys(DOCUMENT.paths).find((path) =>
    new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
}

/** Objects with named members get no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, closed(member)]),
  );
  const isObject = members['type'] === 'object' && typeof members['properties'] === 'object';
  return isObject && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members;
}
