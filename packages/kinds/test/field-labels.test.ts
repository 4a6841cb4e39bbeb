import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { type AnyKind, builtInKinds } from "../src/index.js";
import { askUpstream, upstreamNeed } from "./upstream.js";

/** Every name that some kind knows, older ones too, and one that none does. */
const asked = [
  ...new Set([
    "metadata.name",
    "metadata.namespace",
    "name",
    "status",
    "spec.host",
    "spec.odd",
    ...builtInKinds.flatMap(({ selectableFields }) => selectableFields?.names ?? []),
  ]),
];

/** What selectors may name, by what it is called today. As the server does, a kind of the whole cluster with fields of its own knows no namespace. */
function ours({ namespaced, selectableFields }: AnyKind): Record<string, string> {
  const known = new Set([
    "metadata.name",
    ...(namespaced || !selectableFields ? ["metadata.namespace"] : []),
    ...(selectableFields?.names ?? []),
  ]);
  return Object.fromEntries(
    asked.flatMap((field) => {
      const today = selectableFields?.convert?.(field) ?? field;
      return known.has(today) ? [[field, today]] : [];
    }),
  );
}

describeWith("fields that selectors may name, beside upstream's", upstreamNeed, () => {
  for (const kind of builtInKinds) {
    it(`${kind.resource} ${kind.group}`, () => {
      const { group, version, resource } = kind;
      const [answer] = askUpstream(
        [{ op: "labels", group, version, resource, object: { kind: kind.kind, fields: asked } }],
        0,
      );
      expect(answer?.failure).toBeUndefined();
      const theirs = Object.entries(answer?.facts ?? {}).filter(([, today]) => !(today as string).startsWith("! "));
      expect(ours(kind)).toEqual(Object.fromEntries(theirs));
      if (kind.selectableFields)
        expect(`! ${kind.selectableFields.unknownText?.("spec.odd") ?? "field label not supported: spec.odd"}`).toBe(
          answer?.facts?.["spec.odd"],
        );
    });
  }
});
