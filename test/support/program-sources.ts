/**
 * The sources that make up a program, found as Node would load them: from its main file along every
 * import that is left after compilation, and the environment variables that they name.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { type Program } from '../../config/environment';

export const ROOT = join(__dirname, '..', '..');

/** Where each configured program begins. */
export const MAINS: Readonly<Record<Program, string>> = {
  api: 'api/main.ts',
  worker: 'workers/main.ts',
  simulator: 'simulator/main.ts',
  migrate: 'store/migrate.ts',
  seed: 'store/seed-demo.ts',
  cli: 'cli/main.ts',
};

export const PROGRAMS = Object.keys(MAINS) as readonly Program[];

/** The table of variables: it names them all and reads none by itself. */
const TABLE = 'config/environment.ts';

/** Paths below the root. */
export function sourcesOf(program: Program): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [MAINS[program]];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...importsOf(path));
  }
  return found;
}

/** Names of the variables that the program's sources read. */
export function variablesReadBy(program: Program): ReadonlySet<string> {
  const paths = [...sourcesOf(program)].filter((path) => path !== TABLE);
  return new Set(paths.flatMap(variablesNamedIn));
}

/** The variables that the program's sources read by `required(env, …)`. */
export function demandedBy(program: Program): ReadonlySet<string> {
  const texts = [...sourcesOf(program)].map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(/\brequired\([\w.]*env, '(\w+)'\)/g)]);
  return new Set(calls.map(([, name = '']) => name));
}

function importsOf(path: string): readonly string[] {
  return parse(path)
    .statements.filter(
      (statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement),
    )
    .filter((statement) => !isErased(statement))
    .flatMap(({ moduleSpecifier: from }) =>
      from !== undefined && ts.isStringLiteral(from) && from.text.startsWith('.')
        ? [resolve(path, from.text)]
        : [],
    );
}

/** Only types come from there, so the compiler leaves the import out. */
function isErased(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

function resolve(from: string, specifier: string): string {
  const target = join(ROOT, dirname(from), specifier);
  const file = [`${target}.ts`, join(target, 'index.ts')].find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${from} imports ${specifier}, which is not there`);
  return relative(ROOT, file);
}

/**
 * A name counts where it is the key of an environment (`env['X']`), follows one among the arguments
 * (`required(env, 'X')`), is kept in a constant called `variable`, or begins as only ours do.
 */
function variablesNamedIn(path: string): readonly string[] {
  const names: string[] = [];
  const source = parse(path);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && namesVariable(node, source)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function namesVariable(literal: ts.StringLiteral, source: ts.SourceFile): boolean {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(literal.text)) return false;
  if (literal.text.startsWith('RESOLUTE_')) return true;
  const isEnvironment = (node: ts.Node | undefined): boolean =>
    node !== undefined && /(^|\.)env(ironment)?$/.test(node.getText(source));
  const { parent } = literal;
  if (ts.isElementAccessExpression(parent)) return isEnvironment(parent.expression);
  if (ts.isCallExpression(parent)) return isEnvironment(parent.arguments[0]);
  return ts.isVariableDeclaration(parent) && parent.name.getText(source) === 'variable';
}

function parse(path: string): ts.SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}
