import type { AnyKind } from "@coxswain/kinds";
import type { WebSocketConnection } from "@coxswain/wire/websocket";
import type { UpgradedAnswer, WatchAnswer } from "../request/answer.js";
import { acceptClient } from "../request/client-websocket.js";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";
import { isConverted, watchInVersion } from "./respond/answer-in-version.js";
import { type EventSink, streamWatch } from "./respond/watch-stream.js";
import { untilStopped } from "./until-stopped.js";

/** Before each event of a protobuf stream stands its length, which a message has by itself. */
const lengthBytes = 4;

/** A watch whose events are messages: text for JSON and YAML, binary for protobuf. What the client sends is discarded; when it leaves, the watch ends. */
export function watchOverWebSocket(
  deps: HandlerDeps,
  context: RequestContext,
  answer: WatchAnswer,
  requested: AnyKind,
): UpgradedAnswer {
  return {
    as: "upgraded",
    async run() {
      const websocket = acceptClient(context.request, { needsOrigin: true, choose: theOnly, unfit: 400 }, deps.streams);
      if (!websocket) return;
      const { form } = context;
      const inVersion = isConverted(requested, form) ? watchInVersion(answer, requested) : answer;
      const left = new AbortController();
      const closed = new Promise<void>((resolve) =>
        websocket.listen({ onMessage: () => {}, onClose: () => (left.abort(), resolve()) }),
      );
      const signal = AbortSignal.any([left.signal, untilStopped(deps, context)]);
      const sink = messageSink(websocket, form.streamType.includes("protobuf"));
      await streamWatch({
        answer: inVersion,
        events: form.stream(inVersion.kind),
        sink,
        signal,
        clock: deps.streams.runtime.ioClock,
        onEvent: context.onWatchEvent,
      });
      await closed;
    },
  };
}

/** One sub-protocol is taken whatever it is; several are too many to choose from. */
const theOnly = (requested: readonly string[]): string | undefined =>
  requested.length > 1 ? undefined : (requested[0] ?? "");

function messageSink(websocket: WebSocketConnection, isProtobuf: boolean): EventSink {
  const send = (event: Uint8Array): boolean =>
    websocket.send(isProtobuf ? event.subarray(lengthBytes) : new TextDecoder().decode(event));
  return {
    write(events, sizes) {
      let at = 0;
      let hasRoom = true;
      for (const size of sizes) hasRoom = send(events.subarray(at, (at += size)));
      return hasRoom;
    },
    drained: () => websocket.drained(),
    end(last) {
      if (last) send(last);
      websocket.close();
    },
    abort: () => websocket.destroy(),
  };
}
