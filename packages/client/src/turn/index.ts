export { type CountedTurn, createCountedTurn } from "./counted-turn.js";
