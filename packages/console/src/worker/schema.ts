import type { RestClient } from "@coxswain/client";
import type { SchemaDocument, SchemaNode } from "../contract/messages.js";

/** The server's OpenAPI v3 of a kind; undefined where it has none. Documents are kept: they are large and rarely change. */
export function createSchemas(rest: RestClient) {
  const documents = new Map<string, Promise<Readonly<Record<string, SchemaNode>>>>();
  const read = (groupVersion: string): Promise<Readonly<Record<string, SchemaNode>>> => {
    let document = documents.get(groupVersion);
    if (!document) {
      document = rest
        .send({ method: "GET", path: `/openapi/v3/${groupVersion}` })
        .then(
          (value) => (value as { components?: { schemas?: Record<string, SchemaNode> } }).components?.schemas ?? {},
        );
      document.catch(() => documents.delete(groupVersion));
      documents.set(groupVersion, document);
    }
    return document;
  };
  return async (group: string, version: string, kind: string): Promise<SchemaDocument | undefined> => {
    const schemas = await read(group === "" ? `api/${version}` : `apis/${group}/${version}`);
    const root = Object.keys(schemas).find((name) =>
      schemas[name]?.["x-kubernetes-group-version-kind"]?.some(
        (gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind,
      ),
    );
    return root === undefined ? undefined : { schemas, root };
  };
}
