import { createHash } from "node:crypto";
import type { AnyKind } from "@coxswain/kinds";
import { type ApiKind, hasRules, ownKind } from "@coxswain/kinds/own-kinds";
import { findVersionKind } from "../catalogue/version-kind.js";
import type { ApiGroup } from "./api-group.js";
import { declarationOf, type ServedKind } from "./own-kind-parts.js";

export interface MadeKinds {
  /** Hubs of what stands in the store. */
  readonly stored: readonly AnyKind[];
  /** One definition per served version. */
  readonly served: readonly AnyKind[];
}

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/** The kinds of all groups. Rejects with what is wrong with a declaration. CEL is loaded where a schema has rules. */
export async function makeKinds(groups: readonly ApiGroup[]): Promise<MadeKinds> {
  const all = groups.flatMap(({ name, kinds }) =>
    (kinds as readonly ServedKind[]).map((kind): [string, ApiKind] => [name, declarationOf(kind)]),
  );
  const ruleCompiler = all.some(([, kind]) => hasRules(kind))
    ? (await import("@coxswain/kinds/cel-rules")).createCelRuleCompiler()
    : undefined;
  const resources = all.map(([group, kind]) => ownKind(group, kind, { sha256, ruleCompiler }));
  refuseDoubles(resources.map(({ hub }) => hub));
  return {
    stored: resources.map(({ hub }) => hub).filter((hub) => !isElsewhere(groups, hub)),
    served: resources.flatMap(({ hub, served }) =>
      served.flatMap((version) =>
        version === hub.version ? [hub] : (findVersionKind(hub, { group: hub.group, version }) ?? []),
      ),
    ),
  };
}

const isElsewhere = (groups: readonly ApiGroup[], { group, kind }: AnyKind): boolean =>
  groups.some(({ name, kinds }) => name === group && kinds.some((one) => one.kind === kind && one.storage));

function refuseDoubles(hubs: readonly AnyKind[]): void {
  const seen = new Set<string>();
  for (const { storagePrefix } of hubs) {
    if (seen.has(storagePrefix)) throw new Error(`two kinds are served at ${storagePrefix}: give one another plural`);
    seen.add(storagePrefix);
  }
}
