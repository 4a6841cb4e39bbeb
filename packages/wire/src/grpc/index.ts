export {
  type CallOptions,
  createGrpcClient,
  type GrpcClient,
  type GrpcClientOptions,
  type GrpcStream,
  type StreamOptions,
} from "./client.js";
export type { TlsOptions } from "./endpoint.js";
export { readMessages } from "./messages.js";
export type { Metadata } from "./metadata.js";
export { method, type Method } from "./method.js";
export { type GrpcCode, GrpcError, hasGrpcCode } from "./status.js";

export { type JsonGatewayOptions, jsonGateway } from "./json-gateway.js";
export { createGrpcServer, type GrpcServer, type GrpcServerOptions } from "./server.js";
export { type ServedMethod, type ServerCall, serveStream, serveUnary } from "./served-method.js";
export { parseEndpoint } from "./endpoint.js";
