/**
 * What the gateway says about itself: the OpenAPI document, the same for people, and a page for each
 * problem type. Made once, when the process starts; public, since it holds nothing of anybody.
 */
import { type FastifyInstance } from 'fastify';
import { type Gateway } from './gateway';
import { openApiDocument } from './openapi/document';
import { PROBLEM_NAMES } from './openapi/shapes';
import { sendPage } from './pages/page';
import { problemPage } from './pages/problem-page';
import { referencePage } from './pages/reference-page';
import { type ProblemName } from './problem';

/** Registers them. */
export function registerDocumentation(app: FastifyInstance, gateway: Gateway): void {
  const { operations, providers } = gateway;
  const document = openApiDocument(operations.values(), [...providers.values()]);
  const reference = referencePage(document);
  const anyProblem = PROBLEM_NAMES.join('|');

  app.get('/openapi.json', (_, reply) => reply.send(document));
  app.get('/docs', (_, reply) => sendPage(reply, reference));
  app.get<{ Params: { name: ProblemName } }>(
    `/problems/:name(${anyProblem})`,
    ({ params }, reply) => sendPage(reply, problemPage(params.name)),
  );
}
