import { frameKind } from "@coxswain/client/socket";
import { limits } from "../limits.js";
import { guardsAt } from "./guard.js";

const bad = (message: string) => ({ status: 400, message });
const tooMuch = (message: string) => ({ status: 429, message });

/** Every message of a session meets these; one that is refused ends the connection. */
export const frameGuards = guardsAt("frame", [
  { name: "binary frames", refuse: ({ isText }) => (isText ? bad("frames are binary") : undefined) },
  {
    name: "frame size",
    refuse: ({ bytes }) => (bytes > limits.frameBytes ? tooMuch("a frame is too long") : undefined),
  },
  { name: "whole frame", refuse: ({ kind }) => (kind === 0 ? bad("a frame is too short") : undefined) },
  {
    name: "opener's frame",
    refuse: ({ kind }) =>
      kind === frameKind.open || (kind >= frameKind.data && kind <= frameKind.reset)
        ? undefined
        : bad("a page does not send such frames"),
  },
  {
    name: "new stream",
    // A number that is used again would mix two answers.
    refuse: ({ kind, stream, lastStream }) =>
      kind === frameKind.open && stream <= lastStream ? bad("a stream's number was used before") : undefined,
  },
  {
    name: "stream count",
    refuse: ({ kind, openStreams }) =>
      kind === frameKind.open && openStreams >= limits.streams
        ? tooMuch(`at most ${limits.streams} requests at once`)
        : undefined,
  },
  {
    name: "open size",
    refuse: ({ kind, bytes }) =>
      kind === frameKind.open && bytes > limits.openBytes ? tooMuch("a request's head is too long") : undefined,
  },
  {
    name: "opened stream",
    refuse: ({ kind, stream, lastStream }) =>
      kind !== frameKind.open && stream > lastStream ? bad("a stream was not opened") : undefined,
  },
  {
    name: "body size",
    refuse: ({ bodyBytes, isMessage }) =>
      !isMessage && bodyBytes > limits.bodyBytes ? tooMuch("a request's body is too long") : undefined,
  },
  {
    name: "bytes in flight",
    refuse: ({ bytesInFlight }) =>
      bytesInFlight > limits.bytesInFlight ? tooMuch("too many bytes are under way") : undefined,
  },
  {
    name: "credit",
    // Otherwise a reader that takes nothing could have an answer of any size held for it here.
    refuse: ({ credit }) => (credit > limits.credit ? tooMuch("too much credit") : undefined),
  },
]);
