import type { RequestContext } from "../request/request-context.js";

/** Which kinds of credentials a request tried, for the audit log. */
export function attemptedMethods({ request, query }: RequestContext): string {
  const [scheme = "", credentials] = (request.header("authorization") ?? "").trim().split(" ");
  const attempted = [
    ...(scheme.toLowerCase() === "basic" && isBasic(credentials ?? "") ? ["basic"] : []),
    ...(scheme.toLowerCase() === "bearer" && credentials !== undefined ? ["bearer"] : []),
    ...(request.query.includes("access_token") && query.text("access_token").trim() !== "" ? ["access_token"] : []),
    ...(request.caller.via === "socket" && request.caller.certificate !== undefined ? ["x509"] : []),
  ];
  return attempted.length > 0
    ? `Authentication failed, attempted: ${attempted.join(", ")}`
    : "Authentication failed, no credentials provided";
}

const isBasic = (encoded: string): boolean => Buffer.from(encoded, "base64").includes(":");
