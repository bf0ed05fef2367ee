/** A desk that sorts requests: some are answered from a page, some by a skill of their own. */
import { act, skill, type } from '@skillyard/kit';
import booking from './subskills/booking.ts';

export default skill({
  name: 'ferry-office',
  version: '1.0.0',
  description: 'Answers at the office of a small ferry: crossings, fares, luggage, and bookings.',
  system: 'You are the clerk of a small ferry office. You are brief and friendly.',
  entry: 'classify',
  params: type({ request: 'string > 0' }),
})
  .step('classify', {
    prompt: ({ params }) => `What is this request about? ${JSON.stringify(params.request)}`,
    response: type({ about: "'fares' | 'luggage' | 'booking' | 'unclear'" }),
    next: ({ response }) => {
      if (response.about === 'unclear') return 'ask';
      return response.about === 'booking' ? 'subskill:booking' : `topic:${response.about}`;
    },
  })
  .step('ask', {
    prompt: act.askUser({
      type: 'structured',
      question: 'What can we do for you?',
      options: [
        { value: 'fares', label: 'Fares' },
        { value: 'luggage', label: 'Luggage' },
        { value: 'booking', label: 'Book a crossing' },
      ],
    }),
    response: type({ about: "'fares' | 'luggage' | 'booking'" }),
    next: ({ response }) => (response.about === 'booking' ? 'subskill:booking' : `topic:${response.about}`),
  })
  .topic('fares', { label: 'What a crossing costs', content: ({ refs }) => refs.load('fares.md') })
  .topic('luggage', { label: 'What may be taken along', content: ({ refs }) => refs.load('luggage.md') })
  .subskill('booking', booking, {
    params: (_response, store) => ({ unclear: store.steps.ran('ask') }),
  })
  .build();
