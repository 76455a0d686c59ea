/** A counterexample as a story: what happened, in order, each line with the moment in seconds. */

/** How one state was reached. */
export interface Chapter {
  /** The chapter before it; -1 at the beginning. */
  readonly parent: number;
  readonly at: number;
  readonly say: string;
}

/** The story that ends with chapter `last` and breaks `broken`. */
export function tellStory(chapters: readonly Chapter[], last: number, broken: string): string {
  const lines: string[] = [];
  for (let index = last; index >= 0;) {
    const chapter = chapters[index];
    if (chapter === undefined) break;
    // The passing of time shows in the next line's moment.
    if (chapter.say !== '') lines.unshift(`${moment(chapter.at)}  ${chapter.say}`);
    index = chapter.parent;
  }
  return [broken, ...lines.map((line) => `  ${line}`)].join('\n');
}

function moment(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(5)} s`;
}
