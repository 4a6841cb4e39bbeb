import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  JSONSchemaProps,
} from "@coxswain/api/apiextensions/v1";
import { readArguments } from "../markers/marker-arguments.js";
import { type Marker, markerError } from "../markers/read-doc.js";
import { schemaOfShape } from "../schema/schema-of-shape.js";
import type { Shape } from "../shapes/shape.js";
import { type CustomKind, hasMarker, markersNamed } from "./custom-kind.js";

/** One entry of a definition's `versions`; whether it is the stored one is decided where all of them are known. */
export function versionOfKind(kind: CustomKind, shape: Shape): CustomResourceDefinitionVersion {
  const columns = markersNamed(kind, "printColumn").map(readColumn);
  const selectable = markersNamed(kind, "selectableField").map((marker) => ({
    jsonPath: readPath(marker, marker.text),
  }));
  const subresources = readSubresources(kind);
  const [deprecated] = markersNamed(kind, "deprecatedVersion");
  return {
    name: kind.version,
    served: !hasMarker(kind, "unserved"),
    storage: hasMarker(kind, "storageVersion"),
    ...(deprecated ? { deprecated: true } : {}),
    ...(deprecated && deprecated.text !== "" ? { deprecationWarning: deprecated.text } : {}),
    schema: { openAPIV3Schema: rootSchema(shape) },
    ...(subresources ? { subresources } : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
    ...(selectable.length > 0 ? { selectableFields: selectable } : {}),
  };
}

/** Every object has these three; the server knows what metadata is, whatever the interface declares. */
function rootSchema(shape: Shape): JSONSchemaProps {
  const schema = schemaOfShape(shape);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...own } = schema.properties ?? {};
  const properties = {
    apiVersion: { type: "string", description: "The version of the API in which this object is written." },
    kind: { type: "string", description: "The kind of this object." },
    metadata: { type: "object" },
    ...own,
  };
  const required = schema.required?.filter((name) => name in own) ?? [];
  const { required: _required, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) };
}

function readSubresources(kind: CustomKind): CustomResourceSubresources | undefined {
  const subresources: CustomResourceSubresources = {};
  for (const marker of [...markersNamed(kind, "subresource"), ...markersNamed(kind, "scale")]) {
    const [name, ...rest] = marker.name === "scale" ? ["scale", marker.text] : marker.text.split(/\s+/);
    if (name === "status") subresources.status = {};
    else if (name === "scale") {
      const values = readArguments({ ...marker, text: rest.join(" ") }, ["spec", "status", "selector"]);
      const selector = values.get("selector");
      subresources.scale = {
        specReplicasPath: readPath(marker, values.get("spec") ?? ".spec.replicas"),
        statusReplicasPath: readPath(marker, values.get("status") ?? ".status.replicas"),
        ...(selector === undefined ? {} : { labelSelectorPath: readPath(marker, selector) }),
      };
    } else throw markerError(marker, `"${name ?? ""}" is no subresource: there are status and scale`);
  }
  return Object.keys(subresources).length > 0 ? subresources : undefined;
}

const columnTypes = ["integer", "number", "string", "boolean", "date"];

function readColumn(marker: Marker): CustomResourceColumnDefinition {
  const values = readArguments(marker, ["name", "type", "path", "format", "description", "priority"], "name");
  const name = values.get("name") ?? "";
  const type = values.get("type") ?? "string";
  const path = values.get("path");
  if (name === "" || path === undefined)
    throw markerError(marker, `needs a name and a path: @printColumn Phase type=string path=.status.phase`);
  if (!columnTypes.includes(type)) throw markerError(marker, `the type "${type}" is none of ${columnTypes.join(", ")}`);
  const priority = values.get("priority");
  const format = values.get("format");
  const description = values.get("description");
  return {
    name,
    type,
    jsonPath: readPath(marker, path),
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description }),
    ...(priority === undefined ? {} : { priority: Number(priority) }),
  };
}

function readPath(marker: Marker, path: string): string {
  if (!path.startsWith(".")) throw markerError(marker, `the path "${path}" begins with a dot: .spec.replicas`);
  return path;
}
