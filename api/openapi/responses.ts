/** What a route may answer, as a response object for each status. */
import { PROBLEMS, problemType } from '../problem';
import { type DescribedAnswer, type DescribedProblem, type DescribedRoute } from './route';

/** A response object. */
interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, unknown>>;
  readonly links?: object;
}

/** What every request may be answered, before anything of it is looked at. */
const ALWAYS: readonly DescribedProblem[] = [
  'malformed-request',
  'request-timeout',
  'header-fields-too-large',
  'internal-error',
  'overloaded',
];
const WITH_TOKEN: readonly DescribedProblem[] = [
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'store-unavailable',
];
const WITH_BODY: readonly DescribedProblem[] = ['content-too-large', 'unsupported-media-type'];

/** Response objects by status: what is asked for, and every problem. */
export function responsesOf(route: DescribedRoute): Readonly<Record<string, ResponseObject>> {
  const problems = new Map<number, DescribedProblem[]>();
  const all = [
    ...route.problems,
    ...(route.scope === null ? [] : WITH_TOKEN),
    ...(route.method === 'post' ? WITH_BODY : []),
    ...ALWAYS,
  ];
  for (const problem of all) {
    const status = statusOf(problem);
    problems.set(status, [...(problems.get(status) ?? []), problem]);
  }
  const responses: Record<string, ResponseObject> = {};
  for (const [status, some] of problems) responses[status] = problemResponse(status, some);
  for (const answer of route.answers) {
    responses[answer.status] = both(answerResponse(answer), responses[answer.status]);
  }
  return responses;
}

/** One status may stand for an answer and for problems: `/readyz` says 503 in its own form. */
function both(answer: ResponseObject, problems: ResponseObject | undefined): ResponseObject {
  if (problems === undefined) return answer;
  return {
    description: `${answer.description} ${problems.description}`,
    headers: { ...answer.headers, ...problems.headers },
    content: { ...answer.content, ...problems.content },
  };
}

/** What may be asked about an intent that an answer shows. */
const INTENT_LINKS = Object.fromEntries(
  ['intents.get', 'intents.explain', 'intents.cancel', 'intents.decide'].map((operationId) => [
    operationId,
    { operationId, parameters: { id: '$response.body#/id' } },
  ]),
);

function answerResponse({ when, body, headers = [] }: DescribedAnswer): ResponseObject {
  return {
    description: when,
    headers: headerReferences(['X-Request-Id', ...headers]),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } },
    ...(body === 'Intent' && { links: INTENT_LINKS }),
  };
}

function problemResponse(status: number, problems: readonly DescribedProblem[]): ResponseObject {
  const names = [...new Set(problems.map((problem) => nameOf(problem)))];
  const waits = [429, 503].includes(status) ? ['Retry-After'] : [];
  const challenges = status === 401 ? ['WWW-Authenticate'] : [];
  return {
    description: names.map((name) => `\`${name}\`: ${PROBLEMS[name].title}`).join(' '),
    headers: headerReferences(['X-Request-Id', ...waits, ...challenges]),
    content: {
      'application/problem+json': {
        schema: {
          $ref: '#/components/schemas/Problem',
          properties: { type: { enum: names.map(problemType) }, status: { const: status } },
        },
      },
    },
  };
}

function headerReferences(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function nameOf(problem: DescribedProblem) {
  return typeof problem === 'string' ? problem : problem[0];
}

function statusOf(problem: DescribedProblem): number {
  return typeof problem === 'string' ? PROBLEMS[problem].status : problem[1];
}
