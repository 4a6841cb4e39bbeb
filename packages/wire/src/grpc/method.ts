import type { MessageType } from "../protobuf/index.js";

/** One procedure of a service. Whether it streams is known to both sides and not on the wire. */
export interface Method<Req extends MessageType = MessageType, Res extends MessageType = MessageType> {
  /** For example `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly request: Req;
  readonly response: Res;
}

export const method = <Req extends MessageType, Res extends MessageType>(
  path: string,
  request: Req,
  response: Res,
): Method<Req, Res> => ({ path, request, response });
