// The error answers that both kinds of behaviours give, in one place and one shape.

import { type Answer, answered, type Delivery, failure, withHeader } from './answer';
import { type Fault } from './fault';

export const SERVER_ERROR = failure(500, 'internal_error', 'Something went wrong on our side.');
export const TOO_MANY = failure(429, 'rate_limited', 'Too many requests.');
export const UNAUTHENTICATED = failure(401, 'unauthenticated', 'The credentials are not known.');
export const FORBIDDEN = failure(403, 'forbidden', 'These credentials may not look this up.');
export const GATEWAY_TIMEOUT = failure(504, 'gateway_timeout', 'No answer from upstream in time.');

/** A 200 whose body is a page cut off in the middle, not JSON. */
export const GARBAGE: Answer = {
  status: 200,
  headers: {},
  body: '<html><body>Service temporarily una',
};

/** Gives an error answer, with the programmed Retry-After if there is one. */
export function refused(fault: Fault | null, answer: Answer): Delivery {
  const seconds = fault?.retry_after_s;
  return answered(
    seconds === undefined ? answer : withHeader(answer, 'Retry-After', String(seconds)),
  );
}
