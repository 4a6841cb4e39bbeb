import { type SchemaNode, typeCodes } from "../schema/index.js";

const fixed = new Map<number, string>([
  [typeCodes.string, "string"],
  [typeCodes.bool, "bool"],
  [typeCodes.int32, "int32"],
  [typeCodes.int64, "int64"],
  [typeCodes.uint32, "uint32"],
  [typeCodes.float64, "float64"],
  [typeCodes.bytes, "[]uint8"],
  [typeCodes.wrappedStringList, "v1.ExtraValue"],
]);

/** How Go prints the type: "[]v1.Container", "map[string]string". */
export function goTypeName(node: SchemaNode): string {
  if (node.name !== "") return goShortName(node);
  if (node.code === typeCodes.list && node.element)
    return `[]${node.elementPointer ? "*" : ""}${valueTypeName(node.element)}`;
  if (node.code === typeCodes.map && node.element)
    return `map[${keyTypeName(node.element)}]${node.elementPointer ? "*" : ""}${valueTypeName(node.element)}`;
  return fixed.get(node.code) ?? "interface {}";
}

/** Structs of their own name, which the tables know by a code alone. */
const namedValues = new Map<number, string>([
  [typeCodes.quantity, "resource.Quantity"],
  [typeCodes.time, "v1.Time"],
  [typeCodes.rawExtension, "runtime.RawExtension"],
]);

const valueTypeName = (node: SchemaNode): string => namedValues.get(node.code) ?? goTypeName(node);

/** Keys that have a type of their own; the tables do not name it, but what they lead to does. Maps of quantities by resource have a name as a whole. */
function keyTypeName(element: SchemaNode): string {
  if (element.code === typeCodes.quantity || /\.Device(Attribute|Capacity)$/.test(element.name))
    return "v1.QualifiedName";
  return /\.(NodeAllocatableResourceMapping|ClaimResourceStatus)$/.test(element.name) ? "v1.ResourceName" : "string";
}

/** "v1.PodSpec" for "io.k8s.api.core.v1.PodSpec". */
function goShortName(node: SchemaNode): string {
  return node.name.split(".").slice(-2).join(".");
}

/** "PodSpec": the type without its package. */
export const goTypeOnly = (node: SchemaNode): string => node.name.slice(node.name.lastIndexOf(".") + 1);

/**
 * The path Go's decoder shows for a member: a member of an embedded struct comes after that struct's name.
 * TypeMeta has no place in the protobuf message, so it is known by its members.
 */
export function goFieldPath(node: SchemaNode, name: string): string[] {
  const inline = node.message.find((entry) => entry.inline?.byName.has(name))?.inline;
  if (inline) return [goTypeOnly(inline), ...goFieldPath(inline, name)];
  const isOwn = node.message.some((entry) => entry.field?.name === name);
  const hasTypeMeta =
    !isOwn &&
    (name === "kind" || name === "apiVersion") &&
    node.fields[0]?.name === "kind" &&
    node.fields[1]?.name === "apiVersion";
  return hasTypeMeta ? ["TypeMeta", name] : [name];
}
