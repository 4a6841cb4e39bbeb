/**
 * Adds all items at the end of a list. `list.push(...items)` passes them as arguments on the stack and throws a RangeError
 * above some 120,000 of them, which a client can reach with a body of a megabyte; a check in `npm test` refuses it.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The largest of the numbers and `start`; `Math.max(...numbers)` has the same limit as `push`. */
export function largest(numbers: Iterable<number>, start = Number.NEGATIVE_INFINITY): number {
  let found = start;
  for (const number of numbers) if (number > found) found = number;
  return found;
}

/** The smallest of the numbers and `start`. */
export function smallest(numbers: Iterable<number>, start = Number.POSITIVE_INFINITY): number {
  let found = start;
  for (const number of numbers) if (number < found) found = number;
  return found;
}
