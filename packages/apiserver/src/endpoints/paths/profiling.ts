import type { Clock } from "@coxswain/runtime/clock";
import type { DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import { textAnswer } from "../router-errors.js";
import type { PathSource } from "./path-source.js";

const page = (code: number, text: string, headers: Readonly<Record<string, string>> = {}): DocumentAnswer => ({
  as: "document",
  code,
  contentType: "text/html; charset=utf-8",
  headers,
  bytes: new TextEncoder().encode(text),
});

const index = page(
  200,
  "<html>\n<head>\n<title>/debug/pprof/</title>\n</head>\n<body>\n/debug/pprof/\n<br>\nTypes of profiles available:\n<table>\n<tr><td><a href='profile?seconds=30'>profile</a></td><td>CPU, for go tool pprof</td></tr>\n</table>\n</body>\n</html>\n",
  { "x-content-type-options": "nosniff" },
);

/** `/debug/pprof/`: of Go's profiles the one that Node can make too, in the same format. */
export const createProfiling =
  (clock: Clock): PathSource =>
  (context) => {
    const { path } = context.info;
    if (path === "/debug/pprof") return redirect(context.request.method);
    if (path === "/debug/pprof/") return index;
    if (path === "/debug/pprof/profile") return profile(context, clock);
    return path.startsWith("/debug/pprof/") ? textAnswer(404, "Unknown profile\n", { "x-go-pprof": "1" }) : undefined;
  };

/** Only who reads is shown a page. */
const redirect = (method: string): DocumentAnswer => ({
  ...page(302, method === "GET" ? '<a href="/debug/pprof/">Found</a>.\n\n' : "", { location: "/debug/pprof/" }),
  ...(method === "GET" || method === "HEAD" ? {} : { contentType: "" }),
});

async function profile({ query, signal }: RequestContext, clock: Clock): Promise<DocumentAnswer> {
  const asked = Number(query.text("seconds"));
  const seconds = Number.isFinite(asked) && asked > 0 ? asked : 30;
  // Rarely wanted: the inspector is loaded when it is.
  const { profileCpu } = await import("@coxswain/component/profiling");
  const bytes = await profileCpu(seconds * 1000, clock, signal);
  if (!bytes)
    return textAnswer(500, "Could not enable CPU profiling: cpu profiling already in use\n", { "x-go-pprof": "1" });
  return {
    as: "document",
    code: 200,
    contentType: "application/octet-stream",
    headers: { "content-disposition": 'attachment; filename="profile"', "x-content-type-options": "nosniff" },
    bytes,
  };
}
