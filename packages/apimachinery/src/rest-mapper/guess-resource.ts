/**
 * The resource's names that a kind would have by English rules. Only for what servers do not list: real names come from
 * discovery.
 */
export function guessResource(kind: string): { resource: string; singular: string } {
  const singular = kind.toLowerCase();
  if (singular.endsWith("endpoints")) return { resource: singular, singular };
  if (singular.endsWith("s")) return { resource: `${singular}es`, singular };
  if (singular.endsWith("y")) return { resource: `${singular.slice(0, -1)}ies`, singular };
  return { resource: `${singular}s`, singular };
}
