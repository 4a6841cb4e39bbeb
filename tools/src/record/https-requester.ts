import { Agent, request as httpsRequest } from "node:https";
import type { ClusterAccess } from "../upstream/kubeconfig.js";
import type { PlayAnswer, PlayRequest, Requester } from "./player.js";

/** Plays against a server that listens, over HTTP/1.1 and TLS. Call `close` when done. */
export function createHttpsRequester(access: ClusterAccess): { request: Requester; close(): void } {
  const agent = new Agent({
    ca: access.certificateAuthority,
    cert: access.clientCertificate,
    key: access.clientKey,
    keepAlive: true,
  });
  const authorization = access.token === undefined ? {} : { authorization: `Bearer ${access.token}` };
  const request = (asked: PlayRequest): Promise<PlayAnswer> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...authorization,
        ...asked.headers,
        ...(asked.body === undefined ? {} : { "content-length": asked.body.length }),
      };
      const outgoing = httpsRequest(
        `${access.server}${asked.path}`,
        { agent, method: asked.method, headers, signal: asked.signal },
        (answer) =>
          resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer.headersDistinct), body: answer }),
      );
      outgoing.on("error", reject);
      outgoing.end(asked.body);
    });
  return { request, close: () => agent.destroy() };
}

function headersOf(distinct: NodeJS.Dict<string[]>): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(distinct)) {
    if (values !== undefined) headers[name] = values.length === 1 ? values[0]! : values;
  }
  return headers;
}
