/** Items by a word of theirs, in order. (Map.groupBy wants Node 21.) */
export function groupBy<Item>(
  items: readonly Item[],
  wordOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const word = wordOf(item);
    const group = groups.get(word);
    if (group === undefined) groups.set(word, [item]);
    else group.push(item);
  }
  return groups;
}
