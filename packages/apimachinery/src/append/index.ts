export { append, largest, smallest } from "./append.js";
