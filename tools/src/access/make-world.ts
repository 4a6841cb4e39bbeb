import type { Requester } from "../record/player.js";
import type { WorldObject } from "./decision-table.js";

export type Ask = (
  method: string,
  path: string,
  body?: object,
  contentType?: string,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** A requester of whole JSON answers. */
export function jsonAsk(request: Requester): Ask {
  return async (method, path, body, contentType = "application/json") => {
    const headers = { accept: "application/json", ...(body ? { "content-type": contentType } : {}) };
    const answer = await request({
      method,
      path,
      headers,
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
      signal: new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk as Uint8Array);
    return { status: answer.status, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown };
  };
}

/** Makes the objects in their order. Throws where a server does not take one. */
export async function makeWorld(ask: Ask, world: readonly WorldObject[]): Promise<void> {
  for (const { path, object, status } of world) {
    const made = await ask("POST", path, object);
    if (made.status !== 201)
      throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)} for ${JSON.stringify(object)}`);
    if (!status) continue;
    const name = (object as { metadata: { name: string } }).metadata.name;
    const patched = await ask("PATCH", `${path}/${name}/status`, { status }, "application/merge-patch+json");
    if (patched.status !== 200)
      throw new Error(`${path}/${name}/status: ${patched.status} ${JSON.stringify(patched.body)}`);
  }
}
