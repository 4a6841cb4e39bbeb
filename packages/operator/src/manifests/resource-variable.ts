/** Words that name no variable of a module, and so not the resource that has them as its plural. */
const reserved = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** What `resources.ts` calls a resource: its plural, or `thisResource` and `videoFiles` for `this` and `video-files`. */
export function resourceVariable(plural: string): string {
  const [first = "", ...rest] = plural.split("-");
  const name = first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  return reserved.has(name) ? `${name}Resource` : name;
}
