import { frameGuards } from "./frame-guards.js";
import type { Guard } from "./guard.js";
import { connectionGuards, openGuards } from "./open-guards.js";
import { loopbackGuard, requestGuards } from "./request-guards.js";
import { exchangeGuards, helloGuards } from "./session-guards.js";

/** From the socket to the API server, in the order in which things meet them. No option leaves one out. */
export const guardsOf = ({ loopbackOnly }: { readonly loopbackOnly: boolean }): readonly Guard[] => [
  ...(loopbackOnly ? [loopbackGuard] : []),
  ...requestGuards,
  ...exchangeGuards,
  ...helloGuards,
  ...frameGuards,
  ...openGuards,
  ...connectionGuards,
];

export { firstRefusal, type Guard, type Refusal, type RequestFacts } from "./guard.js";
