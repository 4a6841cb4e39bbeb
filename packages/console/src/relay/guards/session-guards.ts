import { limits } from "../limits.js";
import { guardsAt } from "./guard.js";

const unusable = { status: 401, message: "this link was used, is too old, or was never made: ask for a new one" };

/** A code becomes a key. */
export const exchangeGuards = guardsAt("exchange", [
  {
    name: "JSON",
    // A form of another site can post text, never this type without asking first.
    refuse: ({ contentType }) =>
      contentType === "application/json" ? undefined : { status: 415, message: "the body must be application/json" },
  },
  {
    name: "short exchange",
    refuse: ({ bodyBytes }) =>
      bodyBytes <= limits.exchangeBytes ? undefined : { status: 413, message: "the body is too long" },
  },
  {
    name: "few exchanges",
    refuse: ({ lastMinute }) =>
      lastMinute <= limits.exchangesPerMinute ? undefined : { status: 429, message: "too many links were tried" },
  },
  { name: "known code", refuse: ({ made }) => (made ? undefined : unusable) },
  // A link in a history, a log or over a shoulder is worth nothing once its owner has used it.
  { name: "unused code", refuse: ({ made }) => (made?.isUsed ? unusable : undefined) },
  {
    name: "fresh code",
    refuse: ({ made, now }) => (made && now - made.at > limits.codeLifeMs ? unusable : undefined),
  },
  {
    name: "few sessions",
    refuse: ({ sessions }) =>
      sessions < limits.sessions ? undefined : { status: 429, message: "too many sessions are open" },
  },
]);

/** A key opens a WebSocket. */
export const helloGuards = guardsAt("hello", [
  {
    name: "short hello",
    refuse: ({ isText, bytes }) =>
      isText && bytes <= 1024 ? undefined : { status: 400, message: "the first message must be the session's key" },
  },
  {
    name: "known key",
    refuse: ({ isKnown }) =>
      isKnown ? undefined : { status: 401, message: "the session is not known: ask for a new link" },
  },
]);
