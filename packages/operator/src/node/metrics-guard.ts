import type { Client } from "@coxswain/client";
import type { MetricsGuard } from "../manager/index.js";

/**
 * Lets only those read metrics who may `get` the path `/metrics`, as controller-runtime's filter does: the API server reports whose token it
 * is (TokenReview) and what they may do (SubjectAccessReview).
 */
export function metricsGuard(client: Client): MetricsGuard {
  return async (headers) => {
    const token = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1];
    if (token === undefined) return "unauthenticated";
    const { status } = await client.authentication.v1.tokenreviews().create({ spec: { token } });
    if (status?.authenticated !== true || !status.user) return "unauthenticated";
    const { username = "", uid = "", groups = [], extra = {} } = status.user;
    const review = await client.authorization.v1.subjectaccessreviews().create({
      spec: { user: username, uid, groups, extra, nonResourceAttributes: { path: "/metrics", verb: "get" } },
    });
    return review.status?.allowed === true ? undefined : "forbidden";
  };
}
