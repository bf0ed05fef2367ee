import { mockModel, runComposite, runSkill } from '@skillyard/kit/test';
import { describe, expect, it } from 'vitest';
import office from './skill.ts';
import booking from './subskills/booking.ts';

const trip = {
  when: { day: 'tomorrow', crossing: 'morning' },
  passengers: { people: 2, bicycles: 1 },
  ticket: (prompt: string) => ({ ticket: prompt.includes('tomorrow, 2 people') ? 'A ticket.' : 'wrong' }),
};

describe('ferry-office', () => {
  it('answers from a page', async () => {
    const result = await runComposite(office, {
      params: { request: 'What does a crossing cost?' },
      model: mockModel({ classify: { about: 'fares' } }),
      refs: { load: (file) => `the page ${file}`, asset: (path) => path },
    });
    expect(result.redirectedTo).toEqual({ kind: 'topic', name: 'fares' });
    expect(result.output).toMatchObject({ topic: 'fares', content: 'the page fares.md' });
  });

  it('asks the customer when it does not understand, and hands over to the booking', async () => {
    const result = await runComposite(office, {
      params: { request: 'Hm.' },
      model: mockModel({
        classify: { about: 'unclear' },
        ask: { about: 'booking' },
        ...Object.fromEntries(Object.entries(trip).map(([step, answer]) => [`booking/${step}`, answer])),
      }),
    });
    expect(result.path).toEqual(['classify', 'ask', 'booking/when', 'booking/passengers', 'booking/ticket']);
    expect(result.output).toEqual({ ticket: 'A ticket.' });
  });

  it('has a booking that runs alone', async () => {
    const { path, response } = await runSkill(booking, { params: {}, model: mockModel(trip) });
    expect(path).toEqual(['when', 'passengers', 'ticket']);
    expect(response).toEqual({ ticket: 'A ticket.' });
  });
});
