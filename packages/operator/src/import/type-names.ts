/** Names of a module's types: valid in TypeScript, none twice. */
export interface TypeNames {
  /** A name as near to `wanted` as is free. */
  claim(wanted: string): string;
}

/** Names that a generated module uses for something else, or that TypeScript gives a meaning. */
const reserved = [
  ..."Array Record Partial Object String Number Boolean Date Map Set Promise Error".split(" "),
  ..."KubernetesObject EmbeddedResource ObjectMeta Int32 Int64 Integer IntOrString Quantity RawExtension Time Base64".split(
    " ",
  ),
];

export function createTypeNames(taken: readonly string[] = []): TypeNames {
  const used = new Set([...reserved, ...taken]);
  return {
    claim(wanted) {
      const base = identifierOf(wanted);
      let name = base;
      for (let number = 2; used.has(name); number += 1) name = `${base}${number}`;
      used.add(name);
      return name;
    },
  };
}

/** `pod-template` and `podTemplate` are both `PodTemplate`. */
export function identifierOf(text: string): string {
  const words = text.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== "");
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `T${name}`;
}

/** A member's name as an interface writes it. */
export const memberName = (name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name);
