import { emptyDoc } from "../markers/read-doc.js";
import type { SourcePlace } from "../syntax/source-place.js";
import { scalarSchemas } from "./built-in-names.js";
import type { Shape, ShapeMember } from "./shape.js";

/** The identity of an object of no particular kind. */
export const anyObject = "KubernetesObject";

/** `KubernetesObject`, and `CustomResource<Spec, Status>`: what every object has, and its two halves. */
export function kubernetesObject(halves: readonly (() => Shape)[], place: SourcePlace): Shape {
  const text: Shape = { is: "scalar", schema: { type: "string" }, place, docs: [] };
  const metadata: Shape = { is: "scalar", schema: scalarSchemas["ObjectMeta"]!, place, docs: [] };
  const member = (name: string, shape: () => Shape, optional = true): ShapeMember => ({
    name,
    optional,
    shape,
    doc: emptyDoc,
    place,
  });
  const members = [member("apiVersion", () => text), member("kind", () => text), member("metadata", () => metadata)];
  const [spec, status] = halves;
  if (spec) members.push(member("spec", spec, false));
  if (status) members.push(member("status", status));
  return { is: "object", members, values: undefined, identity: spec ? "" : anyObject, place, docs: [] };
}
