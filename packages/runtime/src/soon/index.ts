export { attempt, firstToDecide, type Inquiry, type Soon, whenKnown } from "./soon.js";
