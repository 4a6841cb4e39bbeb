export { type Patron, Turns } from "./turns.js";
