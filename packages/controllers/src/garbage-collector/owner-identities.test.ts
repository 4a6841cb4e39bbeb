import { describe, expect, it } from "vitest";
import { createNode, type GraphNode } from "./graph-node.js";
import type { ObjectIdentity } from "./object-identity.js";
import { alternateIdentity, partitionDependents } from "./owner-identities.js";

/** "v1 Owner n/o": apiVersion, kind, namespace (none for the cluster's) and name; all have the uid u. */
function owner(text: string): ObjectIdentity {
  const [apiVersion = "", kind = "", place = ""] = text.split(" ");
  const [namespace, name] = place.includes("/") ? (place.split("/") as [string, string]) : ["", place];
  return { apiVersion, kind, namespace, name, uid: "u" };
}
/** A dependent in this namespace that names these owners; a reference has no namespace of its own. */
const child = (namespace: string, ...owners: string[]): GraphNode =>
  createNode(
    { apiVersion: "v1", kind: "Child", namespace, name: "child", uid: "c" },
    {
      owners: owners.map((text) => {
        const { namespace: _, ...reference } = owner(text);
        return reference;
      }),
    },
  );
const versions = ["v1", "v2", "v3", "v4", "v5"].map((version) => `${version} Owner o`);

describe("another identity of an owner that was found not to exist", () => {
  const rows: { name: string; dependents: GraphNode[]; absent: string; alternate: string | undefined }[] = [
    {
      name: "another version",
      dependents: [child("n", "v1 Owner o"), child("n", "xx Owner o")],
      absent: "v1 Owner n/o",
      alternate: "xx Owner n/o",
    },
    {
      name: "another kind",
      dependents: [child("n", "v1 Owner o"), child("n", "v1 Xwner o")],
      absent: "v1 Owner n/o",
      alternate: "v1 Xwner n/o",
    },
    {
      name: "another namespace, that of a dependent",
      dependents: [child("n", "v1 Owner o"), child("m", "v1 Owner o")],
      absent: "v1 Owner n/o",
      alternate: "v1 Owner m/o",
    },
    {
      name: "another name",
      dependents: [child("n", "v1 Owner o"), child("n", "v1 Owner x")],
      absent: "v1 Owner n/o",
      alternate: "v1 Owner n/x",
    },
    {
      name: "of the cluster, another version: it may have namespaces",
      dependents: [child("n", "v1 Owner o"), child("n", "xx Owner o")],
      absent: "v1 Owner o",
      alternate: "xx Owner n/o",
    },
    {
      name: "of the cluster, another kind: it may have namespaces",
      dependents: [child("n", "v1 Owner o"), child("n", "v1 Xwner o")],
      absent: "v1 Owner o",
      alternate: "v1 Xwner n/o",
    },
    {
      name: "of the cluster, another name of the same kind: it has none",
      dependents: [child("n", "v1 Owner o"), child("n", "v1 Owner x")],
      absent: "v1 Owner o",
      alternate: "v1 Owner x",
    },
    {
      name: "of the cluster: dependents in two namespaces mean the same owner",
      dependents: [child("n", "v1 Owner o"), child("m", "v1 Owner o")],
      absent: "v1 Owner o",
      alternate: undefined,
    },
    {
      name: "the next in order",
      dependents: [child("n", ...versions)],
      absent: "v4 Owner n/o",
      alternate: "v5 Owner n/o",
    },
    {
      name: "the first when the absent one is the last",
      dependents: [child("n", ...versions)],
      absent: "v5 Owner n/o",
      alternate: "v1 Owner n/o",
    },
    {
      name: "the next in order, of a dependent of the cluster",
      dependents: [child("", ...versions)],
      absent: "v4 Owner o",
      alternate: "v5 Owner o",
    },
    {
      name: "the first when the absent one is the last, of a dependent of the cluster",
      dependents: [child("", ...versions)],
      absent: "v5 Owner o",
      alternate: "v1 Owner o",
    },
    {
      name: "the same reference twice is one",
      dependents: [child("", "v1 Owner o", "v1 Xwner o", "v1 Xwner o")],
      absent: "v1 Owner o",
      alternate: "v1 Xwner o",
    },
    {
      name: "none when all references mean the absent one",
      dependents: [child("n", "v1 Owner o", "v1 Owner o")],
      absent: "v1 Owner o",
      alternate: undefined,
    },
  ];
  for (const { name, dependents, absent, alternate } of rows)
    it(name, () =>
      expect(alternateIdentity(dependents, owner(absent))).toEqual(
        alternate === undefined ? undefined : owner(alternate),
      ),
    );

  it("references to other uids do not count", () => {
    const dependent = child("n", "v1 Owner o");
    dependent.owners = [...dependent.owners, { apiVersion: "v1", kind: "Other", name: "x", uid: "another" }];
    expect(alternateIdentity([dependent], owner("v1 Owner o"))).toBeUndefined();
  });
});

describe("which dependents mean an owner", () => {
  const rows: { name: string; dependent: GraphNode; owner: string; among: string[] }[] = [
    {
      name: "one whose reference agrees",
      dependent: child("n", "v1 Owner o"),
      owner: "v1 Owner n/o",
      among: ["matching"],
    },
    {
      name: "not one with another kind",
      dependent: child("n", "v1 X o"),
      owner: "v1 Owner n/o",
      among: ["mismatching"],
    },
    { name: "not one elsewhere", dependent: child("m", "v1 Owner o"), owner: "v1 Owner n/o", among: ["mismatching"] },
    {
      name: "anywhere, for an owner of the cluster",
      dependent: child("m", "v1 Owner o"),
      owner: "v1 Owner o",
      among: ["matching"],
    },
    {
      name: "one with a right and a wrong reference is both",
      dependent: child("n", "v1 Owner o", "v1 X o"),
      owner: "v1 Owner n/o",
      among: ["matching", "mismatching"],
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const parts = Object.entries(partitionDependents([row.dependent], owner(row.owner)));
      expect(parts.filter(([, nodes]) => nodes.length > 0).map(([part]) => part)).toEqual(row.among);
    });
});
