/**
 * The steps of a field as the server names it (`spec.containers[0].image`, `metadata.annotations[example.com/a.b]`): names of members and
 * indexes. What stands in brackets may contain dots.
 */
export function fieldSteps(field: string): string[] {
  const steps: string[] = [];
  let name = "";
  const end = (): void => {
    if (name !== "") steps.push(name);
    name = "";
  };
  for (let at = 0; at < field.length; at++) {
    const character = field[at];
    if (character === ".") end();
    else if (character === "[") {
      end();
      const close = field.indexOf("]", at);
      if (close < 0) break;
      steps.push(field.slice(at + 1, close).replace(/^"([^"]*)"$/, "$1"));
      at = close;
    } else name += character;
  }
  end();
  return steps;
}
