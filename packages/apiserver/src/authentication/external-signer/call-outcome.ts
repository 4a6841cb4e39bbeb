import { GrpcError } from "@coxswain/wire/grpc";

/** As grpc-go names outcomes; an error in what was answered is none of the call's. */
export function outcomeOf(error: unknown): string {
  if (error === undefined) return "OK";
  return error instanceof GrpcError ? codeName(error) : "unknown-non-grpc";
}

/** `DEADLINE_EXCEEDED` is `DeadlineExceeded` in Go. */
const codeName = ({ code }: GrpcError): string =>
  code === "CANCELLED"
    ? "Canceled"
    : code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The part of an error that clients and the log get. */
export const whyOf = (error: unknown): string =>
  error instanceof GrpcError
    ? `rpc error: code = ${codeName(error)} desc = ${error.message}`
    : (error as Error).message;
