// Who may import whom: a package sees lower layers alone. `docs/architecture.md` tells why.
const layers = [
  ['diagnostics', 'project-path'],
  ['frontmatter', 'glob-select', 'file-source', 'journal-records'],
  ['file-source-host', 'journal-jsonl', 'journal-sqlite', 'delegation-scope', 'project-placement'],
  ['instruction-modules'],
  ['activation', 'turn-context', 'project-scan'],
  ['session'],
];
const withLayer = layers.flat().map((name) => `^packages/${name}/`);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...[
      { from: { path: '^packages/', pathNot: withLayer }, to: {} },
      { from: { path: '^packages/', pathNot: withLayer, orphan: true }, to: {} },
      { from: {}, to: { path: '^packages/', pathNot: withLayer } },
    ].map((sides) => ({
      name: 'without-a-layer',
      comment:
        'A package that is in no layer of the table above may be imported by anyone and import anyone: give it its layer.',
      severity: 'error',
      ...sides,
    })),
    ...layers.flatMap((names, index) =>
      names.map((name) => ({
        name: `layer-of-${name}`,
        comment: 'A package imports packages of lower layers alone, never of its own or a higher one.',
        severity: 'error',
        from: { path: `^packages/${name}/src/` },
        to: {
          path: [
            ...layers
              .slice(index)
              .flat()
              .filter((other) => other !== name)
              .map((other) => `^packages/${other}/`),
            '^apps/',
            '^tooling/',
          ],
        },
      })),
    ),
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one idea, or three.',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/' },
      to: { circular: true },
    },
    {
      name: 'no-reaching-in',
      comment: 'A package is used through its exports.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/[^/]+/src/', pathNot: ['^packages/$1/', '/src/(index|conformance|schema)\\.ts$'] },
    },
    {
      name: 'declared',
      comment: 'What a package imports, its manifest names.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/|^apps/[^/]+/src/' },
      // The build of `frontmatter` carries the parser.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev', 'unknown'], pathNot: 'node_modules/yaml/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules|out)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@codicil/source', 'import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
