/** Pods whose PreBind plugins are at work. Until they are through, preemption may end the binding without a word to the server. */
export interface BindingPods {
  /** `cancel` is called with the reason. */
  add(uid: string, cancel: (reason: Error) => void): void;
  /** Answers whether the binding was ended: false once it was marked, or for a pod that is not there. */
  cancel(uid: string, reason: string): boolean;
  /** The binding is about to be sent. Answers false when it was ended before. */
  mark(uid: string): boolean;
  delete(uid: string): void;
}

export function createBindingPods(): BindingPods {
  const pods = new Map<string, { readonly cancel: (reason: Error) => void; state: "open" | "marked" | "ended" }>();
  return {
    add: (uid, cancel) => void pods.set(uid, { cancel, state: "open" }),
    cancel(uid, reason) {
      const pod = pods.get(uid);
      if (pod === undefined || pod.state === "marked") return false;
      if (pod.state === "open") pod.cancel(new Error(reason));
      pod.state = "ended";
      return true;
    },
    mark(uid) {
      const pod = pods.get(uid);
      if (pod?.state === "ended") return false;
      if (pod) pod.state = "marked";
      return true;
    },
    delete: (uid) => void pods.delete(uid),
  };
}
