import type { IncomingMessage, ServerResponse } from "node:http";
import { drained } from "../bytes/drained.js";
import { ByteCollector } from "../bytes/index.js";
import { fromJson, type MessageType, ProtobufError, toJson } from "../protobuf/index.js";
import type { ServedMethod } from "./served-method.js";
import { type GrpcCode, GrpcError, numberOfCode } from "./status.js";

export interface JsonGatewayOptions {
  /** Methods by the path of their POST, `/v3/kv/range` for instance. */
  readonly routes: Readonly<Record<string, { readonly served: ServedMethod; readonly streams?: boolean }>>;
  /** Of GETs, by path: `/health`. */
  readonly pages?: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Base64 and names take more room than protobuf. */
const jsonBytesPerByte = 2;

/**
 * Methods as JSON over HTTP/1.1, by the rules of grpc-gateway 2: a POST with the request, answered with the response, or, by a method that
 * streams, with a line `{"result":…}` for each. An error is an object with gRPC's code and message, under the HTTP status that goes with it.
 */
export const jsonGateway =
  ({ routes, pages = {} }: JsonGatewayOptions) =>
  (request: IncomingMessage, response: ServerResponse): void =>
    void respond(routes, pages, request, response);

async function respond(
  routes: JsonGatewayOptions["routes"],
  pages: NonNullable<JsonGatewayOptions["pages"]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url?.split("?", 1)[0] ?? "";
  try {
    const page = request.method === "GET" && Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page) return end(response, 200, await page());
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (!route) throw new GrpcError("NOT_FOUND", "Not Found");
    if (request.method !== "POST") throw new GrpcError("UNIMPLEMENTED", "Method Not Allowed");
    await call(route.served, route.streams ?? false, request, response);
  } catch (error) {
    const { code, message } =
      error instanceof GrpcError ? error : { code: "UNKNOWN" as const, message: (error as Error).message };
    const body = { code: numberOfCode(code), message, details: [] };
    if (!response.headersSent) end(response, httpStatus(code), body);
    else response.end(`${JSON.stringify({ error: body })}\n`);
  }
}

async function call(
  { method, handle, maxMessageBytes }: ServedMethod,
  streams: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const message = fromBody(method.request, await readBody(request, maxMessageBytes * jsonBytesPerByte));
  response.setHeader("content-type", "application/json");
  await handle({
    metadata: new Map(),
    requests: only(message),
    signal: gone.signal,
    async send(answer) {
      const json = toJson(method.response, answer);
      if (!streams) return end(response, 200, json);
      if (!response.destroyed && !response.write(`${JSON.stringify({ result: json })}\n`)) await drained(response);
    },
  });
  response.end();
}

async function* only<T>(message: T): AsyncGenerator<T> {
  yield message;
}

function fromBody(type: MessageType, body: Buffer) {
  try {
    return fromJson(type, body.length === 0 ? {} : JSON.parse(body.toString("utf8")));
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof SyntaxError)
      throw new GrpcError("INVALID_ARGUMENT", error.message, { cause: error });
    throw error;
  }
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes.add(chunk);
    if (bytes.length > limit) throw new GrpcError("RESOURCE_EXHAUSTED", `the request is over ${limit} bytes`);
  }
  return bytes.take();
}

function end(response: ServerResponse, status: number, body: unknown): void {
  response.setHeader("content-type", "application/json");
  response.writeHead(status).end(JSON.stringify(body));
}

/** As grpc-gateway maps them (`runtime/errors.go`, HTTPStatusFromCode). */
const statuses: Partial<Record<GrpcCode, number>> = {
  OK: 200,
  CANCELLED: 499,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  UNAUTHENTICATED: 401,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
};
const httpStatus = (code: GrpcCode): number => statuses[code] ?? 500;
