import { type Field, fieldOf, fieldValue } from "@coxswain/wire/http1";
import type { ArrivedRequest } from "../calls/client-call.js";

/** What is answered here, without a backend. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly fields: readonly Field[];
  readonly body: string;
}

/** Of gRPC (grpc.io, statuscodes): what went wrong here. */
const grpcStatus = { unimplemented: 12, unavailable: 14, deadlineExceeded: 4 };

const grpcStatusOf = (status: number): number =>
  status === 404 ? grpcStatus.unimplemented : status === 504 ? grpcStatus.deadlineExceeded : grpcStatus.unavailable;

export const isGrpc = ({ fields }: ArrivedRequest): boolean =>
  fieldValue(fields, "content-type")?.startsWith("application/grpc") === true;

/** An error; of gRPC, it is a status in what are headers and trailers at once. */
export function failure(status: number, message: string, asGrpc: boolean): Answer {
  if (!asGrpc) return textAnswer(status, `${message}\n`);
  const fields = [
    fieldOf("content-type", "application/grpc"),
    fieldOf("grpc-status", String(grpcStatusOf(status))),
    fieldOf("grpc-message", message),
  ];
  return { kind: "answer", status: 200, fields, body: "" };
}

const textAnswer = (status: number, body: string): Answer => ({
  kind: "answer",
  status,
  fields: [fieldOf("Content-Type", "text/plain; charset=utf-8"), fieldOf("Content-Length", String(body.length))],
  body,
});

export const emptyAnswer = (status: number, fields: readonly Field[]): Answer => ({
  kind: "answer",
  status,
  fields: [...fields, ...(status === 204 ? [] : [fieldOf("Content-Length", "0")])],
  body: "",
});
