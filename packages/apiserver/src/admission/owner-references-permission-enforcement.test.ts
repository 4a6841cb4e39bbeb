import { builtInKinds } from "@coxswain/kinds";
import { describe, expect, it } from "vitest";
import { type Attributes, allowed, noOpinion } from "../authorization/attributes.js";
import type { AdmissionAttributes } from "./admission.js";
import { attributesOf, pod, refusal } from "./attributes.test.support.js";
import { createOwnerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { resourceOfKind } from "./resource-of-kind.js";

const owner = (kind: string, apiVersion: string, blockOwnerDeletion?: boolean): object => ({
  kind,
  apiVersion,
  name: "o",
  uid: kind,
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});
const owned = (...ownerReferences: object[]) => pod({}, { ownerReferences });
const text = ({ verb, namespace, group, version, resource, subresource, name }: Attributes): string =>
  `${verb} ${namespace}:${group}/${version}/${resource}/${subresource}/${name}`;
const plugin = (...may: string[]) =>
  createOwnerReferencesPermissionEnforcement({
    authorizer: (asked) => (may.includes(text(asked)) ? allowed() : noOpinion("no rule")),
    resourceOf: resourceOfKind(builtInKinds),
  });
const create = (object: object): AdmissionAttributes => attributesOf("pods", object);
const update = (object: object, old: object, subresource = ""): AdmissionAttributes =>
  attributesOf("pods", object, { operation: "UPDATE", old: old as never, subresource });

const cases = [
  { name: "who creates may name an owner", may: [], attributes: create(owned(owner("ReplicaSet", "apps/v1"))) },
  {
    name: "who may not delete may not give an owner",
    may: [],
    attributes: update(owned(owner("Node", "v1")), owned()),
    refused: "cannot set an ownerRef on a resource you can't delete: no rule, <nil>",
  },
  {
    name: "who may delete may",
    may: ["delete n:/v1/pods//x"],
    attributes: update(owned(owner("Node", "v1")), owned()),
  },
  {
    name: "nor take one",
    may: [],
    attributes: update(owned(), owned(owner("Node", "v1"))),
    refused: "cannot set an ownerRef on a resource you can't delete: no rule, <nil>",
  },
  {
    name: "owners that stay need nothing",
    may: [],
    attributes: update(owned(owner("Node", "v1", true)), owned(owner("Node", "v1", true))),
  },
  { name: "the status is left alone", may: [], attributes: update(owned(owner("Node", "v1")), owned(), "status") },
  {
    name: "blocking an owner needs its finalizers",
    may: [],
    attributes: create(owned(owner("ReplicaSet", "apps/v1", true))),
    refused:
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: no rule, <nil>",
  },
  {
    name: "in the namespace of both",
    may: ["update n:apps/v1/replicasets/finalizers/o"],
    attributes: create(owned(owner("ReplicaSet", "apps/v1", true))),
  },
  { name: "or in none", may: ["update :/v1/nodes/finalizers/o"], attributes: create(owned(owner("Node", "v1", true))) },
  {
    name: "who may finalize anything is not asked further",
    may: ["update :*/*/*/finalizers/*"],
    attributes: create(owned(owner("Node", "v1", true))),
  },
  {
    name: "an owner of no kind",
    may: [],
    attributes: create(owned(owner("Thing", "example.com/v1", true))),
    refused:
      'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v1 Kind Thing: no matches for kind "Thing" in version "example.com/v1"',
  },
];

describe("owners", () => {
  for (const { name, may, attributes, refused } of cases)
    it(name, async () =>
      expect(await refusal(plugin(...may), attributes)).toBe(
        refused === undefined ? undefined : `pods "x" is forbidden: ${refused}`,
      ),
    );
});
