/** Of "not yet" and numbers it is "not yet": a server that lacks something once lacks it. */
export function median(values: readonly (number | "not yet")[]): number | "not yet" | undefined {
  const numbers = values.filter((value) => value !== "not yet").sort((a, b) => a - b);
  if (numbers.length < values.length) return "not yet";
  const middle = Math.floor(numbers.length / 2);
  return numbers.length % 2 === 1
    ? numbers[middle]
    : numbers.length === 0
      ? undefined
      : (numbers[middle - 1]! + numbers[middle]!) / 2;
}
