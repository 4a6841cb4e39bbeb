import { type Guard, guardsAt, type RequestFacts } from "./guard.js";

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/;

const ownHosts = ({ port, names }: RequestFacts): string[] =>
  ["127.0.0.1", "localhost", "[::1]", ...names].map((name) => `${name}:${port}`);

/** Those that change something or open a connection. A page of another site can send them without asking. */
const needsOrigin = ({ method, isUpgrade }: RequestFacts): boolean => isUpgrade || method !== "GET";

/** An HTTP request meets these from top to bottom, static files and handshakes included. */
export const requestGuards = guardsAt("request", [
  {
    name: "one Host",
    // Two lines: a proxy in between may have looked at the other one.
    refuse: ({ hosts }) => (hosts === 1 ? undefined : { status: 400, message: "a request has one Host header" }),
  },
  {
    name: "own Host",
    // DNS rebinding: an attacker's name that leads to 127.0.0.1 makes that page's origin ours, but it cannot change this header.
    refuse: (facts) =>
      ownHosts(facts).includes((facts.headers["host"] ?? "").toLowerCase())
        ? undefined
        : { status: 421, message: "this server is not known by that name" },
  },
  {
    name: "own Origin",
    // CSRF and WebSocket hijacking: browsers send the origin of the page that asks, and WebSockets have no same-origin policy.
    refuse(facts) {
      const { origin } = facts.headers;
      if (origin === undefined) return needsOrigin(facts) ? { status: 403, message: "an Origin is needed" } : undefined;
      const own = ownHosts(facts).map((host) => `${facts.scheme}://${host}`);
      return own.includes(origin) && origin === `${facts.scheme}://${(facts.headers["host"] ?? "").toLowerCase()}`
        ? undefined
        : { status: 403, message: "pages of other origins may not ask here" };
    },
  },
  {
    name: "Fetch metadata",
    // A page of another site that loads our files as scripts, images or frames sends no Origin, but this.
    refuse({ headers }) {
      const site = headers["sec-fetch-site"];
      return site === undefined || site === "same-origin" || site === "none"
        ? undefined
        : { status: 403, message: "other sites may not ask here" };
    },
  },
  {
    name: "known method",
    refuse({ method, target, isUpgrade }) {
      const allowed = isUpgrade ? method === "GET" && target === "/relay" : true;
      if (!allowed) return { status: 404, message: "nothing to upgrade here" };
      if (method === "GET" || method === "HEAD") return undefined;
      return method === "POST" && target === "/session"
        ? undefined
        : { status: 405, message: `${method.slice(0, 20)} is not allowed here` };
    },
  },
  {
    name: "plain target",
    // Files are looked up in a table and never opened by a path of a request; this keeps odd targets out of logs and caches too.
    refuse: ({ target }) =>
      target.length <= 200 && /^\/[A-Za-z0-9._/-]*$/.test(target) && !target.includes("..") && !target.includes("//")
        ? undefined
        : { status: 400, message: "no such path" },
  },
  {
    name: "no body",
    refuse: ({ method, headers }) =>
      method === "POST" || ((headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined)
        ? undefined
        : { status: 400, message: "a body is not expected" },
  },
]);

/** The listener is on loopback, and so is who asks; a forwarded port of a container is not. */
export const loopbackGuard: Guard = {
  at: "request",
  name: "loopback peer",
  refuse: ({ remoteAddress }) =>
    loopback.test(remoteAddress) ? undefined : { status: 403, message: "only this machine may ask here" },
};
