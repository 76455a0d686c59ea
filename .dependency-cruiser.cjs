// Who may import whom. A folder's rule names everything that it may reach; anything else is an error.
const only = (from, ...allowed) => ({
  name: `${from}-imports-only`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: {
    path: '^[a-z]+/',
    dependencyTypesNot: ['core'],
    pathNot: [`^${from}/`, ...allowed.map((folder) => `^${folder}/`), '^node_modules/'],
  },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-test',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'no package, no Node built-in: it runs in the workflow sandbox',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'workflows-stay-in-the-sandbox',
      comment: 'not even through another file',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        reachable: true,
        path: '^(store|providers|activities|api|operations|workers)/|node_modules/(pg|zod|undici|pino)/',
      },
    },
    {
      name: 'only-store-imports-pg',
      severity: 'error',
      from: { pathNot: '^(store|local|test|bench)/' },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'simulator-shares-nothing-with-what-it-judges',
      severity: 'error',
      from: { path: '^simulator/' },
      to: { path: '^[a-z]+/', pathNot: ['^simulator/', '^node_modules/'] },
    },
    // Types of what the gateway promises do not count: they are gone before the program runs.
    only('client'),
    only('store', 'domain', 'config'),
    only('telemetry', 'domain', 'config'),
    only('cli', 'domain', 'config', 'store', 'operations', 'client'),
    only('replay', 'workflows'),
    only('campaign', 'domain', 'local', 'store'),
    only('providers', 'domain', 'config'),
    only('operations', 'domain', 'config'),
    only('orchestration', 'operations', 'workflows', 'domain'),
    only('workflows', 'domain', 'orchestration', 'activities'),
    only('activities', 'domain', 'operations', 'providers', 'store', 'orchestration', 'telemetry'),
    only(
      'api',
      'domain',
      'operations',
      'providers',
      'store',
      'orchestration',
      'config',
      'workflows',
      'telemetry',
    ),
    only(
      'workers',
      'domain',
      'operations',
      'providers',
      'store',
      'orchestration',
      'config',
      'workflows',
      'activities',
      'telemetry',
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: false,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
