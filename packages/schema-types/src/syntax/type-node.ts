import type { DocComment } from "./scan.js";

/** A type as it is written. `offset` is where it begins in its file. */
export type TypeNode = { readonly offset: number } & (
  | { readonly is: "keyword"; readonly name: string }
  | { readonly is: "literal"; readonly value: string | number | boolean }
  | { readonly is: "reference"; readonly name: string; readonly arguments: readonly TypeNode[] }
  | { readonly is: "array"; readonly element: TypeNode }
  | { readonly is: "tuple"; readonly elements: readonly TypeNode[] }
  | { readonly is: "object"; readonly members: readonly MemberNode[]; readonly index: TypeNode | undefined }
  | {
      readonly is: "mapped";
      readonly parameter: string;
      readonly over: TypeNode;
      readonly value: TypeNode;
      readonly optional: boolean;
    }
  | { readonly is: "union" | "intersection"; readonly types: readonly TypeNode[] }
  | { readonly is: "indexed"; readonly object: TypeNode; readonly index: TypeNode }
  | { readonly is: "keyof"; readonly of: TypeNode }
  /** Written in a form that no schema can have; `what` names it in an error. */
  | { readonly is: "unsupported"; readonly what: string }
);

export interface MemberNode {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly doc: DocComment | undefined;
  readonly offset: number;
}

export interface TypeParameter {
  readonly name: string;
  readonly fallback: TypeNode | undefined;
}

export interface Declaration {
  readonly name: string;
  readonly parameters: readonly TypeParameter[];
  /** Of an interface: what it extends. */
  readonly extends: readonly TypeNode[];
  readonly type: TypeNode;
  readonly doc: DocComment | undefined;
  readonly offset: number;
  readonly form: "interface" | "alias" | "enum";
}

/** Where a name of another module comes from; `name` is "*" for a whole module (`import * as core`). */
export interface ImportedName {
  readonly from: string;
  readonly name: string;
  readonly offset: number;
}

/** What a file declares and where its other names come from. */
export interface TypeModule {
  readonly path: string;
  readonly text: string;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** `export … from`: by the name that others see. */
  readonly reexports: ReadonlyMap<string, ImportedName>;
  /** `export * from`. */
  readonly exportsAll: readonly ImportedName[];
  /** Every JSDoc comment of the file, in order. */
  readonly docs: readonly DocComment[];
}
