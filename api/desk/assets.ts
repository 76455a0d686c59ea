/** Style and script of the desk: small enough to be part of the program, so that no build step is. */

/** Light and dark by the system's choice; contrast is at least 4.5 to 1. */
export const DESK_CSS = `
:root { color-scheme: light dark; --ink: light-dark(#1c2024, #e6e8ea); --paper: light-dark(#fff, #16181b);
  --line: light-dark(#d5d9de, #3a3f45); --soft: light-dark(#f3f5f7, #1f2327); --faint: light-dark(#57606a, #a3abb3);
  --link: light-dark(#0550ae, #79b8ff); --bad: light-dark(#a40e26, #ff9aa5); --good: light-dark(#116329, #6fdd8b);
  --warm: light-dark(#7a4b00, #f2c264); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main, footer { max-width: 1280px; margin: 0 auto; padding: 0 24px; }
header { display: flex; justify-content: space-between; align-items: center; padding-block: 14px;
  border-bottom: 1px solid var(--line); }
header > a { font-weight: 650; color: inherit; text-decoration: none; }
header form { display: flex; gap: 12px; align-items: center; }
footer { padding-block: 24px; color: var(--faint); }
h1 { font-size: 24px; margin: 24px 0 12px; } h2 { font-size: 17px; margin: 28px 0 8px; }
a { color: var(--link); } small { display: block; color: var(--faint); font-size: 13px; }
code { font-size: 13px; }
table { width: 100%; border-collapse: collapse; margin: 8px 0; }
caption { text-align: left; color: var(--faint); padding: 4px 0; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); }
th { font-size: 13px; color: var(--faint); font-weight: 600; }
td { overflow-wrap: anywhere; }
.nowrap { white-space: nowrap; }
.money { font-variant-numeric: tabular-nums; white-space: nowrap; }
.concerns { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, 1fr)); gap: 10px; padding: 0; margin: 0 0 16px; }
.concerns li { padding: 10px 8px; background: var(--soft); border-radius: 8px; }
.concerns a[aria-current] { font-weight: 700; text-decoration: none; color: inherit; }
.links { list-style: none; display: flex; flex-wrap: wrap; gap: 6px 18px; padding: 0; }
.badge { display: inline-block; padding: 1px 9px; border-radius: 10px; background: var(--soft);
  border: 1px solid var(--line); font-size: 13px; font-weight: 600; white-space: nowrap; }
.badge.review, .badge.discrepancy, .badge.held_back, .badge.overdue { color: var(--bad); border-color: currentColor; }
.badge.proposal, .badge.unknown, .badge.cancel, .badge.unsent { color: var(--warm); border-color: currentColor; }
.alarm, .alert, .done { padding: 10px 14px; border-radius: 8px; border: 1px solid currentColor; margin: 16px 0; }
.alarm, .alert { color: var(--bad); } .done { color: var(--good); } .calm { color: var(--faint); }
.reason { font-size: 17px; }
.facts { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 0; }
.facts dt { color: var(--faint); font-size: 13px; } .facts dd { margin: 0; }
form.decide, form.proposal { margin: 16px 0; padding: 16px; background: var(--soft); border-radius: 8px; }
form.proposal h2 { margin-top: 0; }
fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: 8px; max-width: 640px; }
legend { font-weight: 650; font-size: 17px; padding: 0; margin-bottom: 8px; }
label { display: flex; gap: 8px; align-items: baseline; }
input:not([type='radio'], [type='checkbox']), button { font: inherit; color: inherit; padding: 7px 11px; border-radius: 6px;
  border: 1px solid var(--faint); background: var(--paper); }
button { cursor: pointer; font-weight: 600; justify-self: start; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.buttons { display: flex; flex-wrap: wrap; gap: 16px; align-items: start; }
.sign-in { max-width: 420px; } .sign-in form { display: grid; gap: 10px; }
svg { width: 100%; height: auto; font-size: 12px; } svg text { fill: var(--faint); } svg line { stroke: var(--line); }
svg .good { fill: var(--good); } svg .bad { fill: var(--bad); } svg .open { fill: var(--warm); }
`;

/**
 * Renews the main part in place. Not while a form is being filled in or has the focus, and not while the
 * tab is hidden; a page that cannot be fetched stays, and says since when it is old.
 */
export const DESK_JS = `
const main = document.querySelector('main[data-refresh]');
const footer = document.querySelector('footer');
let since = null;
const isBusy = () => document.hidden || main.contains(document.activeElement) && document.activeElement.form
  || [...main.querySelectorAll('input:not([type=hidden])')].some((one) => one.type === 'radio' || one.type === 'checkbox' ? one.checked : one.value !== '');
const renew = async () => {
  if (isBusy()) return;
  try {
    const answer = await fetch(location.pathname + location.search.replace(/[?&]notice=\\w+/, ''), { redirect: 'error' });
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main[data-refresh]');
    if (!answer.ok || next === null) throw new Error(String(answer.status));
    if (isBusy()) return;
    main.replaceChildren(...next.childNodes);
    since = null;
  } catch {
    since ??= new Date();
    footer.textContent = 'Not renewed since ' + since.toISOString().slice(11, 19) + 'Z: the gateway does not answer, or you are signed out.';
    footer.className = 'alarm';
  }
};
if (main !== null) setInterval(renew, 10_000);
`;
