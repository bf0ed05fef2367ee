/** Random workflows for property tests: few names, so that steps get in each other's way, and every kind of step. */
import * as fc from 'fast-check';
import type { Asset, Step, Workflow } from '../src/format/ast.ts';

const NAMES = ['a', 'b', 'c', 'answer', 'item'] as const;
const POLICIES = ['abort', 'continue', 'skip'] as const;

const common = {
  position: { line: 1, column: 1 },
  keys: new Map<string, never>(),
};

const name = fc.constantFrom(...NAMES);
const policy = fc.constantFrom(...POLICIES);
const saveAs = fc.constantFrom('', 'a', 'b', 'c', 'answer');
const when = fc.constantFrom('', '', '', '', 'a is not empty', 'b contains x', 'c == 1', 'a > 1');
const text = fc
  .array(
    fc.constantFrom(
      'x ',
      '{{a}}',
      '{{b}}',
      '{{c}}',
      '{{item}}',
      '{{a.mem}}',
      '{{b.k.z}}',
      '{{rows}}',
      '{{asset:card}}',
      '{{asset:found}}',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(''));
const stepName = fc.constantFrom('', 's1', 's2', 's3');
const emptiness = fc.record({
  onEmpty: fc.constantFrom('continue', 'continue', 'fail', 'use'),
  onEmptyValue: text,
});

const ASSET: Asset = {
  position: { line: 1, column: 1 },
  kind: 'text',
  source: '',
  content: '',
  ref: '',
  args: {},
  params: {},
  deliver: '',
  description: '',
  fetch: null,
};

const head = fc.record({ name: stepName, when, onError: policy, saveAs });

const instruction: fc.Arbitrary<Step> = fc
  .tuple(head, text, emptiness, fc.constantFrom(null, [], ['srv']), fc.boolean())
  .map(([header, instructionText, empty, tools, retries]) => ({
    ...common,
    ...header,
    ...empty,
    kind: 'instruction',
    instruction: instructionText,
    tools,
    onServer: '',
    model: '',
    sampling: null,
    responseSchema: null,
    oneOf: null,
    maxCalls: 2,
    maxToolErrors: 1,
    onEmpty: retries ? 'retry' : empty.onEmpty,
    onEmptyRetries: 1,
    timeoutMs: 0,
  }));

const call: fc.Arbitrary<Step> = fc.tuple(head, text, emptiness).map(([header, argument, empty]) => ({
  ...common,
  ...header,
  ...empty,
  kind: 'call',
  server: 'srv',
  tool: 'get',
  onServer: '',
  args: { text: argument },
  timeoutMs: 0,
}));

const delegate: fc.Arbitrary<Step> = fc.tuple(head, text, emptiness).map(([header, task, empty]) => ({
  ...common,
  ...header,
  ...empty,
  kind: 'delegate',
  skill: 'sister',
  task,
  timeoutMs: 0,
}));

const set: fc.Arbitrary<Step> = fc.tuple(head, name, text).map(([header, variable, value]) => ({
  ...common,
  ...header,
  kind: 'set',
  variable,
  value,
}));

const exit: fc.Arbitrary<Step> = fc.tuple(head, text).map(([header, reason]) => ({
  ...common,
  ...header,
  kind: 'exit',
  reason,
}));

const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => {
  const list = tie('steps');
  const branching: fc.Arbitrary<Step>[] = [
    fc.tuple(head, name, list, list, list).map(([header, variable, x, y, rest]) => ({
      ...common,
      ...header,
      kind: 'switch',
      variable,
      cases: [
        { value: '1', steps: x },
        { value: '', steps: y },
      ],
      default: rest,
    })),
    fc.tuple(head, list, list).map(([header, yes, no]) => ({
      ...common,
      ...header,
      kind: 'if',
      cond: 'b is empty',
      then: yes,
      else: no,
    })),
    fc
      .tuple(
        head,
        fc.constantFrom('rows', 'rows', 'rows', 'a', 'pair'),
        fc.constantFrom('', 'c', 'b', 'item'),
        list,
      )
      .map(([header, source, collect, body]) => ({
        ...common,
        ...header,
        kind: 'for_each',
        in: source,
        as: 'item',
        collect,
        maxIterations: 4,
        concurrency: 0,
        steps: body,
      })),
    fc.tuple(head, fc.constantFrom('', 'c'), list, list).map(([header, collect, x, y]) => ({
      ...common,
      ...header,
      kind: 'parallel',
      collect,
      branches: [x, y],
    })),
  ];
  return {
    step: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      instruction,
      call,
      set,
      delegate,
      ...branching,
    ),
    steps: fc.array(fc.oneof({ weight: 14, arbitrary: tie('step') }, { weight: 1, arbitrary: exit }), {
      maxLength: 4,
    }),
  };
});

/** A workflow of the format, already validated. */
export const arbitraryWorkflow: fc.Arbitrary<Workflow> = steps.map((list) => ({
  tools: ['srv'],
  vars: new Map([
    ['rows', '["1","x",{"k":{"z":2}},"4"]'],
    ['pair', '{"l":[1,2]}'],
    ['b', 'x'],
  ]),
  assets: new Map<string, Asset>([
    ['card', { ...ASSET, content: 'card text' }],
    ['found', { ...ASSET, source: 'mcp', ref: 'srv:get', args: { a: '{{a}}', of: ['{{item}}'] } }],
  ]),
  limits: null,
  steps: list,
}));
