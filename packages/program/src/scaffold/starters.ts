/** Programs to begin with. They ask one question, so that it can be seen how answers come, and do nothing yet. */

export const SCRIPT_STARTER = `import { main } from '@skillyard/program';

// Run again from the top for every answer: whatever is not the same each time (clocks, files, the network) is asked for by
// an operation.
main((ctx) => {
  const start = ctx.askUser('confirm-start', 'Start this workflow?', [{ value: 'yes' }, { value: 'no' }]);
  if (start === 'no') ctx.refused('it was not to be started');
  ctx.blocked('replace the starter workflow and fixture before testing');
});
`;

export const PYTHON_STARTER = `from skillprogram import define_skill


# Run again from the top for every answer: whatever is not the same each time (clocks, files, the network) is asked for by
# an operation.
def program(ctx):
    start = ctx.ask_user("confirm-start", "Start this workflow?", [{"value": "yes"}, {"value": "no"}])
    if start == "no":
        ctx.refused("it was not to be started")
    ctx.blocked("replace the starter workflow and fixture before testing")


if __name__ == "__main__":
    define_skill(program)
`;
