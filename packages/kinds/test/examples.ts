import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AnyKind, builtInKinds } from "../src/index.js";

/** The objects from which the cases of one kind are made, in `examples/<group>.<resource>.json`. */
export interface Examples {
  readonly kind: AnyKind;
  /** Valid and rich: each member that is there is changed in turn. */
  readonly objects: readonly Record<string, unknown>[];
  /** Paths, without indices, whose members are left alone. */
  readonly skip: readonly string[];
  /** Only printed. */
  readonly printed: readonly Record<string, unknown>[];
  /** Pairs for updates that single changes do not reach. */
  readonly updates: readonly { readonly view?: string; readonly old: unknown; readonly object: unknown }[];
  /** Errors, by their beginning without indices, that are checked elsewhere. */
  readonly otherErrors: readonly string[];
  /** Errors, by their end, that upstream gives in no certain order. */
  readonly anyOrder: readonly string[];
}

const folder = fileURLToPath(new URL("examples/", import.meta.url));

export function readExamples(): Examples[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const [resource = "", ...group] = name.replace(/\.json$/, "").split(".");
      const kind = builtInKinds.find((one) => one.resource === resource && one.group === group.join("."));
      if (!kind) throw new Error(`no kind for examples/${name}`);
      const given = JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as Partial<Omit<Examples, "kind">>;
      return { kind, objects: [], skip: [], printed: [], updates: [], otherErrors: [], anyOrder: [], ...given };
    });
}
