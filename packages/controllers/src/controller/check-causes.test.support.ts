import { attributedCauses } from "@coxswain/apiserver";
import { intercept } from "@coxswain/client";
import { addHeaders } from "@coxswain/client/rest";
import type { Transport } from "@coxswain/client/transport";
import { recordWork, writerOf } from "@coxswain/client/work";
import type { Activity } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";
import type { MemoryStore } from "@coxswain/storage/memory";
import type { CauseCheck } from "@coxswain/tools/causes";

/** The API server's own writes are those of its post-start hooks. */
const isController = (user: string | undefined): boolean =>
  /^(system:serviceaccount:kube-system:|system:kube-controller-manager$)/.test(user ?? "");

/** Has every write of controllers checked as it is stored, except Events. */
export function checkCauses(
  causeCheck: CauseCheck,
  { store, activity, clock }: { readonly store: MemoryStore; readonly activity: Activity; readonly clock: Clock },
): { wrap(transport: Transport): Transport; stop(): Promise<void> } {
  const works = recordWork({ clock, revision: () => store.revision });
  causeCheck.follow(works);
  activity.trace = works;
  const causesOf = attributedCauses(works);
  const ending = new AbortController();
  const watching = store.watch(
    { prefix: "/registry/", from: store.revision },
    (events) => {
      for (const event of events) {
        if (!isController(event.note?.user) || event.key.startsWith("/registry/events/")) continue;
        const key = `${event.key} (${writerOf(event.note?.user)})`;
        causeCheck.compare({ key, auditId: event.note?.auditId }, causesOf(event)?.() ?? []);
      }
    },
    ending.signal,
  );
  return {
    wrap: (transport) => intercept(transport, [addHeaders(() => ({ "audit-id": causeCheck.tag() }))]),
    async stop() {
      ending.abort();
      await watching;
    },
  };
}
