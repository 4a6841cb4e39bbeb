/** A request that an action sends, as data: what is shown, copied, tried and sent is this one value. */
export interface ActionRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly contentType: string;
  readonly body: unknown;
}

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly isDangerous: boolean;
  readonly request: ActionRequest;
  /** The same with kubectl. */
  readonly kubectl: string;
}

/**
 * The same request, tried without being done. A deletion has it in its options: with a body the server reads no options from the
 * query (`registry/rest/delete.go`), and would delete.
 */
export function asDryRun(request: ActionRequest): ActionRequest {
  const { method, body } = request;
  if (method === "DELETE") return { ...request, body: { ...(body as object), dryRun: ["All"] } };
  return { ...request, query: [...request.query.filter(([name]) => name !== "dryRun"), ["dryRun", "All"]] };
}

/** The request in TypeScript, for `@coxswain/client`. */
export function asTypeScript({ method, path, query, body, contentType }: ActionRequest): string {
  const lines = [
    'import { connect } from "@coxswain/client/node";',
    "",
    "const client = connect();",
    "await client.rest.send({",
    `  method: ${JSON.stringify(method)},`,
    `  path: ${JSON.stringify(path)},`,
  ];
  if (query.length > 0) lines.push(`  query: ${JSON.stringify(query)},`);
  if (body !== undefined) {
    const value = JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
    const type =
      contentType === "" || contentType === "application/json" ? "" : `, contentType: ${JSON.stringify(contentType)}`;
    lines.push(`  body: { as: "value", value: ${value}${type} },`);
  }
  return [...lines, "});", "await client.close();", ""].join("\n");
}
