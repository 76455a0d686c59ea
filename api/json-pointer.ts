/** RFC 6901: a path into a JSON value as text; the empty text is the whole value. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
