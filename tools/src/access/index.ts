export { type DecisionTable, decodeDecisions, type WorldObject } from "./decision-table.js";
export { type Ask, jsonAsk, makeWorld } from "./make-world.js";
export { type Question, reviewOf, reviewPath, type Verdict } from "./question.js";
export { accessTokens } from "./tokens.js";
