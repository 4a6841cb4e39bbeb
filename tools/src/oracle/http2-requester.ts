import { connect } from "node:http2";
import type { PlayAnswer, PlayRequest, Requester } from "../record/index.js";
import type { ClusterAccess } from "../upstream/index.js";

/** Many requests at a time over one connection. Call `close` when done. */
export function createHttp2Requester(access: ClusterAccess): { request: Requester; close(): void } {
  const session = connect(access.server, {
    ca: access.certificateAuthority,
    ...(access.clientCertificate !== undefined && { cert: access.clientCertificate }),
    ...(access.clientKey !== undefined && { key: access.clientKey }),
  });
  session.on("error", () => {}); // every request of the session fails with it
  const authorization = access.token === undefined ? {} : { authorization: `Bearer ${access.token}` };
  const request = (asked: PlayRequest): Promise<PlayAnswer> =>
    new Promise((resolve, reject) => {
      const stream = session.request(
        { ...authorization, ...asked.headers, ":method": asked.method, ":path": asked.path },
        { endStream: asked.body === undefined, signal: asked.signal },
      );
      stream.on("error", reject);
      // Several Warning lines are one value with commas in HTTP/2's objects; both servers' are joined alike.
      stream.on("response", (headers) =>
        resolve({ status: headers[":status"] ?? 0, headers: headers as PlayAnswer["headers"], body: stream }),
      );
      if (asked.body !== undefined) stream.end(asked.body);
    });
  return { request, close: () => session.close() };
}
