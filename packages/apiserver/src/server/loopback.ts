import type { RandomSource } from "@coxswain/runtime/random";
import type { Logger } from "@coxswain/runtime/log";
import { catchUnhandled } from "../filters/catch-unhandled.js";
import { serverUser } from "../registry/server-scope.js";
import { chain, type Handler } from "../request/filter.js";
import { openContext } from "./open-context.js";
import { codeOf, type RequestServer } from "./serve-requests.js";

/**
 * The server's way to itself, for the transport of its own controllers: the router without the filters. They are part of
 * the server, so they are not authenticated, limited, counted or audited like clients.
 */
export function createLoopback(
  router: Handler,
  { random, log }: { readonly random: RandomSource; readonly log: Logger },
): Pick<RequestServer, "answer" | "serve"> {
  const handle = chain([catchUnhandled(log)], router);
  return {
    async answer(request) {
      const context = openContext(request, random);
      context.user = serverUser;
      const answer = await handle(context);
      return { answer, code: codeOf(answer), warnings: context.warnings };
    },
    serve: () => Promise.reject(new Error("the loopback hands out objects, not bytes")),
  };
}
