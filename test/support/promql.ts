/**
 * The metrics that a PromQL expression names, each with the labels that are asked of it. Simple, and
 * enough for expressions like ours: labels of a `by` are asked of every metric of the expression.
 */

/** A metric and the labels that its matchers, or a `by`, name. */
interface Named {
  readonly name: string;
  readonly labels: readonly string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset']);
const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;

export function namesAndLabels(expression: string): readonly Named[] {
  const grouped = [...expression.matchAll(GROUPING)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  const rest = expression.replace(GROUPING, ' ').replace(/\[[^\]]*\]/g, ' ');
  return [...rest.matchAll(/(?<![\w"$.])([a-zA-Z_:][\w:]*)\s*(?:(\()|\{([^}]*)\})?/g)]
    .filter(([, name = '', isCall]) => isCall === undefined && !WORDS.has(name))
    .map(([, name = '', , matchers = '']) => ({
      name,
      labels: [...labelsOf(matchers), ...grouped],
    }));
}

function labelsOf(matchers: string): readonly string[] {
  return [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)].map(([, label = '']) => label);
}
