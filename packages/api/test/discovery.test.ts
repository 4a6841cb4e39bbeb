import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { builtInGroups, builtInResources } from "@coxswain/api/resources";
import { describe, expect, it } from "vitest";

// Recorded from kube-apiserver 1.36.4 with default settings (packages/apiserver/testdata/documents).
const recorded = JSON.parse(
  gunzipSync(readFileSync(new URL("../../apiserver/testdata/documents/discovery.json.gz", import.meta.url))).toString(),
).legacy;

interface RecordedResource {
  name: string;
  singularName: string;
  kind: string;
  group?: string;
  version?: string;
  namespaced: boolean;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

/** What discovery would answer from our data, in upstream's form. */
function discovered(group: string, version: string): RecordedResource[] {
  return builtInResources
    .filter((info) => info.group === group && info.version === version && info.servedByDefault)
    .flatMap((info) => [
      {
        name: info.resource,
        singularName: info.singular,
        namespaced: info.namespaced,
        kind: info.kind,
        verbs: [...info.verbs],
        ...(info.shortNames.length > 0 && { shortNames: [...info.shortNames] }),
        ...(info.categories.length > 0 && { categories: [...info.categories] }),
        ...(info.hash !== "" && { storageVersionHash: info.hash }),
      },
      ...info.subresources.map((sub) => ({
        name: `${info.resource}/${sub.name}`,
        singularName: "",
        namespaced: info.namespaced,
        ...((sub.kind.group !== group || sub.kind.version !== version) && {
          group: sub.kind.group,
          version: sub.kind.version,
        }),
        kind: sub.kind.kind,
        verbs: [...sub.verbs],
      })),
    ]);
}

describe("the resources against a default kube-apiserver", () => {
  const served = builtInGroups.flatMap(({ group, versions }) =>
    versions.filter((version) => version.servedByDefault).map(({ version }) => ({ group, version })),
  );
  for (const { group, version } of served) {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    it(path, () => expect(discovered(group, version)).toEqual(recorded[path].resources));
  }
  it("groups stand in discovery's order, the preferred version first", () => {
    const expected = recorded["/apis"].groups.map(
      (group: { name: string; versions: { version: string }[] }) =>
        `${group.name} ${group.versions.map((entry) => entry.version).join(",")}`,
    );
    const ours = builtInGroups
      .filter(({ group, versions }) => group !== "" && versions.some((version) => version.servedByDefault))
      .map(
        ({ group, versions }) =>
          `${group} ${versions.flatMap((version) => (version.servedByDefault ? [version.version] : [])).join(",")}`,
      );
    expect(ours).toEqual(expected);
  });
});
