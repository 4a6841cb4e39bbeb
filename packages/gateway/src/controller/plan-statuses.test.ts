import { describe, expect, it } from "vitest";
import { controllerName, type Gateway, type Listener, type ListenerSet } from "../objects/gateway-objects.js";
import { planGateways } from "../plan/plan-gateways.js";
import { emptyWorld } from "../plan/world.test.support.js";
import { planListenerSetStatus } from "./plan-statuses.js";

const gateway: Gateway = {
  metadata: { name: "edge", namespace: "infra" },
  spec: {
    gatewayClassName: "ours",
    listeners: [{ name: "own", port: 80, protocol: "HTTP" }],
    allowedListeners: { namespaces: { from: "All" } },
  },
};
const plain: Listener = { name: "plain", port: 8080, protocol: "HTTP" };
const withoutGrant: Listener = {
  name: "secure",
  port: 443,
  protocol: "HTTPS",
  tls: { certificateRefs: [{ name: "certificate", namespace: "other" }] },
};

describe("the conditions of a ListenerSet", () => {
  const rows: { name: string; listeners: Listener[]; want: string[] }[] = [
    {
      name: "hold where its listeners are served",
      listeners: [plain],
      want: ["Accepted True Accepted", "Programmed True Programmed"],
    },
    {
      name: "hold in part where another listener has no grant for its certificate",
      listeners: [plain, withoutGrant],
      want: ["Accepted True ListenersNotValid", "Programmed True Programmed"],
    },
    {
      name: "fail where its only listener has no grant for its certificate",
      listeners: [withoutGrant],
      want: ["Accepted False ListenersNotValid", "Programmed False ListenersNotValid"],
    },
  ];
  for (const { name, listeners, want } of rows)
    it(name, () => {
      const set: ListenerSet = {
        metadata: { name: "more", namespace: "infra" },
        spec: { parentRef: { name: "edge" }, listeners },
      };
      const classes = [{ metadata: { name: "ours" }, spec: { controllerName } }];
      const [planned] = planGateways({ ...emptyWorld, classes, gateways: [gateway], listenerSets: [set] }).gateways;
      const status = planned?.sets[0] && planListenerSetStatus(planned.sets[0], { outcomeOf: () => undefined, now: 0 });
      expect(status?.conditions?.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`)).toEqual(want);
    });
});
