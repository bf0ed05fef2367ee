/** Books a crossing. It runs alone as well: it knows nothing of the desk. */
import { prompt, skill, step, terminal, type } from '@skillyard/kit';

/** A step that other skills could use too. */
const passengers = step({
  prompt: 'How many people travel, and how many bicycles?',
  response: type({ people: '1 <= number.integer <= 12', bicycles: '0 <= number.integer <= 4' }),
  next: '__parent__',
});

export default skill({
  name: 'booking',
  version: '1.0.0',
  description: 'Books a crossing.',
  entry: 'when',
  params: type({ unclear: 'boolean = false' }),
  stores: { ticket: type({ day: 'string', people: 'number' }) },
})
  .step('when', {
    prompt: ({ params }) => [
      ...(params.unclear ? ['The customer was not sure what they want: be patient.'] : []),
      'Find out the day and the crossing.',
    ],
    response: type({ day: "'today' | 'tomorrow'", crossing: "'morning' | 'noon' | 'evening'" }),
    save: ({ response }) => ({ ticket: { day: response.day } }),
    next: 'passengers',
  })
  .extend('passengers', passengers, {
    save: ({ response }) => ({ ticket: { people: response.people } }),
    next: 'ticket',
  })
  .step('ticket', {
    prompt: ({ store }) => prompt`
      Write the ticket: ${store.steps.when.crossing} crossing, ${store.ticket.day}, ${store.steps.passengers.people} people.
    `,
    response: type({ ticket: 'string' }),
    next: terminal,
  })
  .build();
