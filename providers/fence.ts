/**
 * The last look at the clock before bytes leave. undici tells a handler that its request starts in the
 * very turn in which it writes it, on a connection that stands: whoever is too late there is stopped,
 * however long connecting took, or our own process was frozen. It also knows for certain whether
 * anything left at all.
 */
import { DecoratorHandler, type Dispatcher } from 'undici';

/** Stands between one call and its connection. */
export interface Fence {
  readonly interceptor: Dispatcher.DispatcherComposeInterceptor;
  /** Shuts it for good. False: proof that no byte of the request was written, or ever will be. */
  shut(): boolean;
}

/** What a request dies of that came too late to the fence. */
class PermitRanOut extends Error {
  override readonly name = 'PermitRanOut';
}

/** A fence that is shut from `deadline` on (`performance.now()`, milliseconds). */
export function createFence(deadline: number): Fence {
  let opened = false;
  let isShut = false;
  return {
    interceptor: (dispatch) => (options, handler) =>
      dispatch(
        options,
        guarded(handler, (controller) => {
          if (!isShut && performance.now() < deadline) opened = true;
          else controller.abort(new PermitRanOut('the permit ran out before it was written'));
        }),
      ),
    shut: () => {
      isShut = true;
      return opened;
    },
  };
}

type Look = (controller: Dispatcher.DispatchController) => void;

/** The handler, with `look` before anything is written. */
function guarded(handler: Dispatcher.DispatchHandler, look: Look): Dispatcher.DispatchHandler {
  const inner: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
  return {
    onRequestStart: (controller, context) => {
      inner.onRequestStart?.(controller, context);
      look(controller);
    },
    onRequestUpgrade: (...args) => inner.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => inner.onResponseStart?.(...args),
    onResponseData: (...args) => inner.onResponseData?.(...args),
    onResponseEnd: (...args) => inner.onResponseEnd?.(...args),
    onResponseError: (...args) => inner.onResponseError?.(...args),
  };
}
