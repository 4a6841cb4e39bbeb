import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AnyKind, builtInKinds } from "../src/index.js";
import { applyMutation } from "./mutations.js";

/** The objects from which the cases of one kind are made, in `examples/<group>.<resource>.json`. */
export interface Examples {
  readonly kind: AnyKind;
  /** Valid and rich: each member that is there is changed in turn. */
  readonly objects: readonly Record<string, unknown>[];
  /** Paths, without indices, whose members are left alone. */
  readonly skip: readonly string[];
  /** Created as they are, valid or not. */
  readonly once: readonly Record<string, unknown>[];
  /** Only printed. */
  readonly printed: readonly Record<string, unknown>[];
  /** Pairs for updates that single changes do not reach. */
  readonly updates: readonly { readonly view?: string; readonly old: unknown; readonly object: unknown }[];
  /** Errors, by their beginning without indices, that are checked elsewhere. */
  readonly otherErrors: readonly string[];
  /** Members that upstream sets by the clock as a default, and we set later. */
  readonly setByClock: readonly string[];
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
      const { objects = [], once = [], printed = [], updates = [] } = given;
      const whole = (one: unknown) => expanded(objects, one as Record<string, unknown>);
      const spelledOut = {
        objects,
        once: once.map(whole),
        printed: printed.map(whole),
        updates: updates.map((update) => ({ ...update, old: whole(update.old), object: whole(update.object) })),
      };
      return { kind, skip: [], otherErrors: [], anyOrder: [], setByClock: [], ...given, ...spelledOut };
    });
}

/** `{"of": 0, "set": {"spec/items/0/name": "x"}}` is the first object with that one change; null takes a member away. */
function expanded(objects: readonly Record<string, unknown>[], one: Record<string, unknown>): Record<string, unknown> {
  const base = objects[one["of"] as number];
  if (!base) return one;
  return Object.entries((one["set"] ?? {}) as Record<string, unknown>).reduce(
    (object, [path, value]) =>
      applyMutation(object, { path: path.split("/"), value: value ?? undefined }) as Record<string, unknown>,
    base,
  );
}
