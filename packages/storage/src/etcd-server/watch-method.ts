import type { Clock } from "@coxswain/runtime/clock";
import { GrpcError, type ServedMethod, serveStream } from "@coxswain/wire/grpc";
import { answering, headed } from "./answering.js";
import { rpc } from "./messages.js";
import type { TransactionDeps } from "./plan-transaction.js";
import { WatchSession } from "./watch-session.js";

export const watchMethod = ({ store, leaseName, clock }: TransactionDeps & { readonly clock: Clock }): ServedMethod =>
  serveStream(rpc.watch, async ({ requests, send, signal }) => {
    let overflow: (error: GrpcError) => void = () => {};
    const overflowed = new Promise<never>((_, reject) => (overflow = reject));
    const session = new WatchSession({
      store,
      clock,
      leaseName,
      send: (response) => send(headed(response, response.header?.revision ?? 0)),
      onOverflow: () => overflow(new GrpcError("RESOURCE_EXHAUSTED", "the client does not read its events")),
    });
    signal.addEventListener("abort", () => session.close(), { once: true });
    const serve = async (): Promise<void> => {
      for await (const { create_request, cancel_request, progress_request } of requests) {
        if (create_request) await session.create(create_request);
        else if (cancel_request) await session.cancel(cancel_request.watch_id);
        else if (progress_request) await session.askForProgress();
      }
      // A client that has nothing more to ask goes on reading (`recvLoop` of server/etcdserver/api/v3rpc/watch.go).
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    };
    try {
      await answering(async () => Promise.race([serve(), overflowed]));
    } finally {
      session.close();
    }
  });
