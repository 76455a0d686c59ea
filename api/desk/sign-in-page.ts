/** The first page: a token for a session. */
import { document } from './layout';
import { type Html, html } from '../html';

/** `refused`: the token that was sent is no operator's. */
export function signInPage(refused: boolean): Html {
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
