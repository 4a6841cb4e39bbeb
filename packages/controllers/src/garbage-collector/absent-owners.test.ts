import { expect, it } from "vitest";
import { createAbsentOwners } from "./absent-owners.js";
import type { ObjectIdentity } from "./object-identity.js";

const owner = (name: string): ObjectIdentity => ({ apiVersion: "v1", kind: "Pod", namespace: "n", name, uid: name });

it("of more than the limit, the one asked for longest ago is forgotten", () => {
  const absent = createAbsentOwners(2);
  absent.add(owner("a"));
  absent.add(owner("b"));
  expect(absent.has(owner("a"))).toBe(true);
  absent.add(owner("c"));
  expect(["a", "b", "c"].filter((name) => absent.has(owner(name)))).toEqual(["a", "c"]);
});

it("the same name in another namespace is another owner", () => {
  const absent = createAbsentOwners();
  absent.add(owner("a"));
  expect(absent.has({ ...owner("a"), namespace: "m" })).toBe(false);
});
