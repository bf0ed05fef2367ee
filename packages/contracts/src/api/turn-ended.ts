import { Type, type Static } from 'typebox';
import { TurnOutcome } from '../turn-outcome.ts';
import { TurnResource } from './turn-resource.ts';

/** What an address is told when a turn ends. Variables are left out: whoever wants them asks for the turn. */
export const TurnEnded = Type.Object({
  type: Type.Literal('turn.ended'),
  turn: Type.Object({ ...TurnResource.properties, outcome: Type.Omit(TurnOutcome, ['vars']) }),
});
export type TurnEnded = Static<typeof TurnEnded>;
