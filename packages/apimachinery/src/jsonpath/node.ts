/** A bound or step of a slice: `undefined` where the text leaves it out. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** Whether it is a single index, whose end follows from its start. */
  readonly single: boolean;
}

/** One step of a path, or a piece of text between paths. */
export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly nodes: readonly Node[] }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "recursive" }
  | { readonly kind: "slice"; readonly slice: Slice }
  | { readonly kind: "union"; readonly members: readonly (readonly Node[])[] }
  | {
      readonly kind: "filter";
      readonly left: readonly Node[];
      readonly operator: string;
      readonly right: readonly Node[];
    }
  | { readonly kind: "literal"; readonly value: boolean | number | bigint | GoFloat }
  | { readonly kind: "identifier"; readonly name: string };

/** A number written with a point. Go keeps it apart from integers, also where its value is whole. */
export class GoFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A path that cannot be read or followed. The message is upstream's. */
export class JsonPathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JsonPathError";
  }
}
