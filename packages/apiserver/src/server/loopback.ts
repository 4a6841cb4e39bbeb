import type { Runtime } from "@coxswain/runtime";
import { catchUnhandled } from "../filters/catch-unhandled.js";
import { serverUser } from "../objects/server-scope.js";
import { chain, type Handler } from "../request/filter.js";
import { openContext } from "./open-context.js";
import { codeOf, type RequestServer } from "./serve-requests.js";

/**
 * The server's way to itself, for the transport of its own controllers: the router without the filters. They are part of
 * the server, so they are not authenticated, limited, counted or audited like clients.
 */
export function createLoopback(
  router: Handler,
  runtime: Pick<Runtime, "random" | "log" | "scheduler">,
): Pick<RequestServer, "answer" | "serve"> {
  const handle = chain([catchUnhandled(runtime.log)], router);
  return {
    async answer(request) {
      const context = openContext(request, runtime);
      context.user = serverUser;
      const answer = await handle(context);
      return { answer, code: codeOf(answer), warnings: context.warnings };
    },
    serve: () => Promise.reject(new Error("the loopback hands out objects, not bytes")),
  };
}
