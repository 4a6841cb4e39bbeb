import { largest } from "@coxswain/apimachinery/append";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ObjectRef } from "../contract/messages.js";
import { now, slowNow } from "./app-state.js";
import { formatBytes } from "./node-bars.js";
import { useCall } from "./use-call.js";

interface Measurement {
  readonly at: number;
  readonly cpu: number;
  readonly memory: number;
}

/** An hour of measurements. */
const most = 360;

/** What a pod or a node uses, measured anew every ten seconds while somebody looks, with a line of what this page has seen. */
export function Usage({ objectRef }: { readonly objectRef: ObjectRef }) {
  const seen = useSignal<readonly Measurement[]>([]);
  const { value } = useCall("usage", { ref: objectRef }, String(slowNow.value));
  useEffect(() => {
    if (value) seen.value = [...seen.value, { at: now.value, ...value }].slice(-most);
  }, [value]);
  const last = seen.value.at(-1);
  if (!last) return null;
  return (
    <section class="usage">
      <h2>Used now</h2>
      <dl class="facts">
        <Line name="CPU" text={`${last.cpu.toFixed(3)} cores`} values={seen.value.map(({ cpu }) => cpu)} />
        <Line name="Memory" text={formatBytes(last.memory)} values={seen.value.map(({ memory }) => memory)} />
      </dl>
    </section>
  );
}

const Line = ({ name, text, values }: { name: string; text: string; values: readonly number[] }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {text}{" "}
      <svg viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={`${name} since this page was opened`}>
        <polyline points={pointsOf(values)} />
      </svg>
    </dd>
  </div>
);

/** Pure: a line from left to right, the largest value at the top. */
export function pointsOf(values: readonly number[]): string {
  const top = largest(values, Number.MIN_VALUE);
  const step = 100 / Math.max(1, values.length - 1);
  const places = values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values;
  return places.map((value, at) => `${(at * step).toFixed(1)},${(19 - (value / top) * 18).toFixed(1)}`).join(" ");
}
