/** Requests that no route takes: 405 with Allow where the path exists, else 404. */
import { type FastifyInstance } from 'fastify';
import { type Answer, send } from './answer';
import { problemAnswer } from './problem';

interface Path {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Answers them. Call before any route is registered: it watches the registrations. */
export function registerUnmatched(app: FastifyInstance): void {
  const paths = new Map<string, Path>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) path.methods.add(one);
    paths.set(url, path);
  });
  const answerTo = (url: string): Answer => {
    const [pathname = ''] = url.split('?');
    const path = [...paths.values()].find(({ pattern }) => pattern.test(pathname));
    if (path === undefined) return problemAnswer('not-found');
    return problemAnswer('method-not-allowed', {
      headers: { allow: [...path.methods].join(', ') },
    });
  };
  // Before the body: nobody will read it, and a method may have rules of its own about bodies.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) send(reply, answerTo(request.url));
    else done();
  });
}

/** `/v1/intents/:id(<expression>)` as an expression for whole paths. */
function patternOf(url: string): RegExp {
  const source = url.replaceAll('.', '\\.').replace(/:\w+\(([^)]*)\)/g, '(?:$1)');
  return new RegExp(`^${source}$`);
}
