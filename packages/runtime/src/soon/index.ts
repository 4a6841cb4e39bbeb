export { attempt, firstToDecide, type DecisionChain, type Soon, whenKnown } from "./soon.js";
