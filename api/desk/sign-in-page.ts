/** The first page: a token for a session. */
import { document } from './layout';
import { type Html, html } from '../html';

/** What the page is made from. */
interface SignIn {
  /** The page of the desk that was asked for: whoever signs in comes to it. */
  readonly wanted: string;
  /** The token that was sent is no operator's. */
  readonly refused?: boolean;
}

/** Renders it. */
export function signInPage({ wanted, refused = false }: SignIn): Html {
  return document(
    'Sign in',
    html`<main class="sign-in">
      <h1>Resolute desk</h1>
      ${
        refused &&
        html`<p class="alarm" role="alert">
          This is no operator's token, or it was revoked. Ask for one:
          <code>resolute operator create</code>.
        </p>`
      }
      <form method="post" action="/desk/session">
        <input type="hidden" name="wanted" value="${wanted}" />
        <label for="token">Operator's token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          autofocus
        />
        <button>Sign in</button>
      </form>
    </main>`,
  );
}
