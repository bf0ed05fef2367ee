/**
 * The direction of the house: contracts <- engine <- (lint, catalog, kit, program) <- (executors, runtime, queue) <- (services, cli);
 * client and telemetry know contracts only.
 * Each rule was seen to fire on a planted violation; keep it so when you change one.
 */
const TEST = '(\\.test\\.ts$|^(packages|services)/[^/]+/(types-)?test/)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'contracts-is-leaf',
      comment: 'contracts holds schemas and types only: it knows no other room and no Node built-in.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: TEST },
      to: { pathNot: ['^packages/contracts/src/', 'node_modules/(typebox|ajv|ajv-formats)/'] },
    },
    {
      name: 'engine-is-pure',
      comment:
        'engine is a pure function: it may import contracts and yaml, and nothing that touches the world.',
      severity: 'error',
      from: { path: '^packages/engine/src/', pathNot: TEST },
      to: { pathNot: ['^packages/(engine|contracts)/src/', 'node_modules/yaml/'] },
    },
    {
      name: 'lint-is-pure',
      comment: 'lint reads a skill and what it is told of the installation, and nothing else.',
      severity: 'error',
      from: { path: '^packages/lint/src/', pathNot: TEST },
      to: { pathNot: ['^packages/(lint|engine|contracts)/src/', 'node_modules/yaml/'] },
    },
    {
      name: 'catalog-is-below',
      comment: 'catalog finds skills; who runs them knows it, and not the other way round.',
      severity: 'error',
      from: { path: '^packages/catalog/', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^packages/(catalog|engine|contracts)/' },
    },
    {
      name: 'processes-know-nothing',
      comment: 'What processes do with each other has nothing to do with skills.',
      severity: 'error',
      from: { path: '^packages/processes/', pathNot: TEST },
      to: { pathNot: '^packages/processes/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'kit-is-below',
      comment: 'A kit skill runs without the platform: it knows only what it says to it.',
      severity: 'error',
      from: { path: '^packages/kit/', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^packages/(kit|contracts|processes)/' },
    },
    {
      name: 'kit-workflow-is-pure',
      comment:
        'Definitions, prompts and the workflow of a kit skill touch nothing; files, processes and servers are its hosts.',
      severity: 'error',
      from: {
        path: '^packages/kit/src/(definition|schema|builder|primitives|prompt|render|workflow)/',
        pathNot: TEST,
      },
      to: {
        path: [
          '^packages/kit/src/(sessions|cli|mcp|build|check|testing|hosted)/',
          'node_modules/@modelcontextprotocol/',
        ],
      },
    },
    {
      name: 'kit-workflow-has-no-builtins',
      comment: 'The same as above, for what Node brings.',
      severity: 'error',
      from: {
        path: '^packages/kit/src/(definition|schema|builder|primitives|prompt|render|workflow)/',
        pathNot: TEST,
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'program-is-below',
      comment: 'A program and its supervisor run without the platform: they know only what they say to it.',
      severity: 'error',
      from: { path: '^packages/program/', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^packages/(program|contracts|processes)/' },
    },
    {
      name: 'program-sdk-is-light',
      comment: 'A program starts anew for every answer: its SDK loads nothing but what Node brings.',
      severity: 'error',
      from: { path: '^packages/program/src/(index|program-error|sdk|protocol)', pathNot: TEST },
      to: {
        pathNot: ['^packages/program/src/(index|program-error|sdk|protocol)'],
        dependencyTypesNot: ['core', 'type-only'],
      },
    },
    {
      name: 'middle-rooms-are-apart',
      comment:
        'executors, runtime and queue know contracts and engine, not each other; a service joins them.',
      severity: 'error',
      from: { path: '^packages/(executors|runtime|queue)/', pathNot: TEST },
      to: {
        path: '^(packages|services)/',
        pathNot: '^packages/(contracts|engine|lint|catalog|program|processes|$1)/',
      },
    },
    {
      name: 'client-knows-contracts-only',
      comment: 'The client runs where nothing else of ours does, in a browser too.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: TEST },
      to: { pathNot: ['^packages/(client|contracts)/src/'] },
    },
    {
      name: 'telemetry-knows-contracts-only',
      comment: 'What is traced is told to telemetry; it does not look for it.',
      severity: 'error',
      from: { path: '^packages/telemetry/', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^packages/(telemetry|contracts)/' },
    },
    {
      name: 'opentelemetry-in-one-room',
      comment: 'Its packages change together: one folder to change.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: ['^packages/telemetry/', TEST] },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'http-in-one-room',
      comment: 'The API is served by the orchestrator, from one folder.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^services/orchestrator/src/http/' },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'console-is-a-client',
      comment: 'The console sees what the API says, and nothing else.',
      severity: 'error',
      from: { path: '^services/console/src/', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^(services/console|packages/(client|contracts))/' },
    },
    {
      name: 'testing-knows-contracts-only',
      comment: 'Everyone tests with packages/testing, so it may not import what they test.',
      severity: 'error',
      from: { path: '^packages/testing/' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(testing|contracts)/' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'Fixtures do not ship.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: [TEST, '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'What two tests share belongs to packages/testing or to a file that is no test.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'packages-not-services',
      comment: 'Packages are below services; only the cli starts them.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/cli/' },
      to: { path: '^services/' },
    },
    {
      name: 'cli-is-on-top',
      comment: 'Nothing imports the command.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^packages/cli/' },
      to: { path: '^packages/cli/' },
    },
    {
      name: 'services-are-apart',
      comment: 'Services talk over queues and HTTP.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'redis-in-one-room',
      comment: 'Only packages/queue knows BullMQ and Redis (and the fixtures of packages/testing).',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^packages/(queue|testing)/' },
      to: { path: 'node_modules/(ioredis|bullmq)/' },
    },
    {
      name: 'models-in-one-room',
      comment: 'The AI SDK changes its names with each major: one folder to change.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^packages/executors/src/model/' },
      to: { path: 'node_modules/(ai|@ai-sdk)/' },
    },
    {
      name: 'mcp-in-one-room',
      comment: 'MCP is spoken by the tool executor, by fixtures and by tests.',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: [
          '^packages/executors/src/tools/',
          '^packages/kit/src/mcp/',
          '^packages/cli/src/conformance/kit/',
          '^packages/testing/',
          TEST,
        ],
      },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'through-the-front-door',
      comment: 'Another package is imported by its name, never by a path into it.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/' },
      to: {
        path: '^(packages|services)/',
        pathNot: '^$1/$2/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased-workspace'],
      },
    },
    {
      name: 'declared-dependencies-only',
      comment:
        'A package may use what its own package.json names, and what ships may not need a devDependency.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: [TEST, '^services/console/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'console-declares-too',
      comment: 'The console ships as the files it is built into: what it needs is a devDependency.',
      severity: 'error',
      from: { path: '^services/console/src/', pathNot: TEST },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^((packages|services)/[^/]+/dist|coverage|conformance)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@skillyard/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};
