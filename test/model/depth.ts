/** How far to explore: `MODEL_DEPTH=deep` for the larger bounds, and the stories of the controls. */
export function isDeep(): boolean {
  return process.env['MODEL_DEPTH'] === 'deep';
}
