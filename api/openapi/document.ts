/**
 * The published document, OpenAPI 3.1: derived from the routes of `routes.ts`, the schemas that
 * validate requests and the shapes that type the answers. Nothing is described twice.
 */
import { z } from 'zod';
import { type Operation } from '../../operations/operation';
import { type ServingProvider } from '../../operations/registry';
import { HEADERS, PARAMETERS, SECURITY_SCHEMES } from './headers';
import { responsesOf } from './responses';
import { type DescribedBody, type DescribedRoute } from './route';
import { describedRoutes } from './routes';
import { SHAPES } from './shapes';

/** JSON, as published. */
type Json = Readonly<Record<string, unknown>>;

/** The whole document. */
export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.0';
  /** Path items by path, operations by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly [part: string]: Json;
  };
}

/** Builds it for what this process serves; without providers, whichever they may be. */
export function openApiDocument(
  operations: Iterable<Operation>,
  providers: readonly ServingProvider[] = [],
): OpenApiDocument {
  const served = [...operations];
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of describedRoutes(served)) {
    const operation = served.find(({ name }) => name === route.id);
    const serving = providers.filter(
      ({ contracts }) => operation !== undefined && operation.commandKind in contracts,
    );
    const names = serving.map(({ name }) => name);
    paths[route.path] = { ...paths[route.path], [route.method]: operationObject(route, names) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Resolute',
      version: '1',
      description:
        'Durable execution of payments: one identity, one intent, one effect, and a proven outcome.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The process that answers this document.' }],
    paths,
    components: {
      schemas: publishedShapes(),
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function operationObject(route: DescribedRoute, providers: readonly string[]): Json {
  const { id, summary, description, scope, body } = route;
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [scope === null ? 'service' : (route.path.split('/')[2] ?? '')],
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(body !== undefined && { requestBody: requestBody(body, providers) }),
    responses: responsesOf(route),
  };
}

/** Who may: any of them. */
function securityOf({ scope, operators }: DescribedRoute): readonly Json[] {
  if (scope === null) return [];
  if (scope === 'operate') return [{ operator: [scope] }];
  return [{ token: [scope] }, ...(operators === true ? [{ operator: ['operate'] }] : [])];
}

function requestBody(body: DescribedBody, providers: readonly string[]): Json {
  if ('signed' in body) {
    return {
      required: true,
      description: body.signed,
      content: { 'application/json': { schema: { type: 'object' } } },
    };
  }
  const schema = naming(providers, jsonSchema(body.schema, 'input'));
  const examples = { usual: { value: body.example } };
  return { required: true, content: { 'application/json': { schema, examples } } };
}

/** A body's member `provider` is one of those that serve the operation; the claim refuses others. */
function naming(providers: readonly string[], schema: Json): Json {
  const members = schema['properties'] as Readonly<Record<string, object>> | undefined;
  const { provider } = members ?? {};
  if (provider === undefined || providers.length === 0) return schema;
  return { ...schema, properties: { ...members, provider: { ...provider, enum: providers } } };
}

function parametersOf({ parameters = {}, query, headers = [] }: DescribedRoute): readonly Json[] {
  // What a caller may write: a number of the query arrives as text and is read as a number.
  const asked = query === undefined ? {} : jsonSchema(query, 'output');
  const members = (asked['properties'] ?? {}) as Record<string, unknown>;
  return [
    ...Object.entries(parameters).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema: jsonSchema(schema, 'input'),
    })),
    ...Object.entries(members).map(([name, schema]) => ({ name, in: 'query', schema })),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return withoutDialect(z.toJSONSchema(schema, { io }));
}

/** The document names the dialect once for all. */
function withoutDialect(schema: object): Json {
  return Object.fromEntries(
    Object.entries(schema).filter(([member]) => member !== '$schema' && member !== '$id'),
  );
}

/** As inputs: a reader of answers must not refuse members that a later release adds. */
function publishedShapes(): Readonly<Record<string, Json>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(SHAPES)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)]),
  );
}
