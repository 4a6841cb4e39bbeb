import { type VersionInfo } from "../../documents/version.js";
import { checkAccept } from "../route-media.js";
import { methodNotAllowed, resourceNotFound } from "../router-errors.js";
import type { PathSource } from "./path-source.js";

/** Upstream indents this document for everybody, and has it in JSON only. */
export const createVersion =
  (version: VersionInfo): PathSource =>
  ({ info: { path }, request }) => {
    if (path !== "/version" && !path.startsWith("/version/")) return undefined;
    if (path.length > "/version/".length) throw resourceNotFound();
    if (request.method !== "GET") throw methodNotAllowed();
    checkAccept(request, ["application/json"]);
    return {
      as: "document",
      code: 200,
      contentType: "application/json",
      bytes: new TextEncoder().encode(JSON.stringify(version, null, 2)),
    };
  };
