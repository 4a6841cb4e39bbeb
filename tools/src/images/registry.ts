import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { blobPath, manifestType, readRefs } from "./image-layout.js";

export interface RegistryOptions {
  /** An image layout. */
  readonly folder: string;
  readonly address: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface Registry {
  readonly port: number;
  stop(): Promise<void>;
}

/** What a path of the registry API names (OCI distribution specification, "end-1" to "end-3"). */
export type Asked =
  | { readonly kind: "version" }
  | { readonly kind: "blob"; readonly digest: string }
  | { readonly kind: "manifest"; readonly name: string; readonly reference: string };

const digestPattern = /^sha256:[0-9a-f]{64}$/;

export function parsePath(path: string): Asked | undefined {
  if (path === "/v2/" || path === "/v2") return { kind: "version" };
  const [, name, kind, reference] =
    /^\/v2\/([a-z0-9._/-]{1,255})\/(manifests|blobs)\/([\w.:-]{1,200})$/.exec(path) ?? [];
  if (name === undefined || reference === undefined) return undefined;
  if (kind === "manifests") return { kind: "manifest", name, reference };
  return digestPattern.test(reference) ? { kind: "blob", digest: reference } : undefined;
}

/**
 * A registry that only answers pulls, over plain HTTP. It stands for every host: `name:tag` is found whichever registry an image's
 * reference names, because a mirror is asked for the path alone.
 */
export async function startRegistry({ folder, address, port }: RegistryOptions): Promise<Registry> {
  const refs = new Map([...(await readRefs(folder))].map(([ref, digest]) => [ref.slice(ref.indexOf("/") + 1), digest]));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = parsePath((request.url ?? "").split("?")[0] ?? "");
    if (asked?.kind === "version")
      return void response.writeHead(200, { "content-type": "application/json" }).end("{}");
    const digest = asked?.kind === "manifest" ? manifestDigest(asked, refs) : asked?.digest;
    const path = digest === undefined ? undefined : join(folder, blobPath(digest));
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (path === undefined || digest === undefined || found === undefined) {
      const code = asked?.kind === "manifest" ? "MANIFEST_UNKNOWN" : "BLOB_UNKNOWN";
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ errors: [{ code }] }));
      return;
    }
    response.writeHead(200, {
      "content-type": asked?.kind === "manifest" ? manifestType : "application/octet-stream",
      "content-length": found.size,
      "docker-content-digest": digest,
    });
    if (request.method === "HEAD") response.end();
    else
      createReadStream(path)
        .on("error", (error) => response.destroy(error))
        .pipe(response);
  };
  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return void response.writeHead(405).end();
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(port, address, resolve));
  return {
    port: (server.address() as { port: number }).port,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const manifestDigest = (
  { name, reference }: { name: string; reference: string },
  refs: ReadonlyMap<string, string>,
): string | undefined => (digestPattern.test(reference) ? reference : refs.get(`${name}:${reference}`));
