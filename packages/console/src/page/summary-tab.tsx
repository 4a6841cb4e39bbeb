import { humanDuration } from "@coxswain/apimachinery/time";
import type { KubernetesValue, ObjectRef, RelatedObject, ResourceInfo } from "../contract/messages.js";
import { toneOf } from "../contract/tone.js";
import { app, now } from "./app-state.js";
import { Events } from "./events.js";
import { explainPending } from "./explain-pending.js";
import { Heads } from "./heads.js";
import { lazyView } from "./lazy-view.js";
import { factsOf } from "./object-facts.js";
import { ProblemBox } from "./problem-box.js";
import { keepLasting, objectHash, param, tableHash } from "./route.js";
import { useCall } from "./use-call.js";

const Misfits = lazyView(async () => (await import("./misfits.js")).Misfits);
const Usage = lazyView(async () => (await import("./usage.js")).Usage);
const isMeasured = ({ group, resource }: ResourceInfo): boolean =>
  app().cluster.hasMetrics && group === "" && (resource === "pods" || resource === "nodes") && param("at") === "";

interface SummaryProps {
  readonly info: ResourceInfo;
  readonly objectRef: ObjectRef;
  readonly object: KubernetesValue;
}

/** What people look for first: facts, conditions, why not, what belongs to it, what happened. */
export function SummaryTab({ info, objectRef, object }: SummaryProps) {
  const version = object.metadata?.resourceVersion ?? "";
  const uid = object.metadata?.uid ?? "";
  const events = useCall("events", { ref: objectRef, uid }, version);
  const related = useCall("related", { ref: objectRef }, version);
  const pending = explainPending(object);
  return (
    <div class="summary">
      {pending.length > 0 && (
        <section class="why">
          <h2>Why it is pending</h2>
          <ul>
            {pending.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {!object["spec"]?.nodeName && <Misfits objectRef={objectRef} version={version} />}
        </section>
      )}
      <section>
        <h2>Facts</h2>
        <dl class="facts">
          {factsOf(object).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Labels info={info} title="Labels" entries={object.metadata?.labels ?? {}} />
        <Labels title="Annotations" entries={object.metadata?.annotations ?? {}} />
      </section>
      {isMeasured(info) && <Usage objectRef={objectRef} />}
      <Conditions conditions={object["status"]?.conditions ?? []} />
      <section>
        <h2>Belongs together</h2>
        {related.problem && <ProblemBox problem={related.problem} />}
        <Tree lines={related.value ?? []} />
      </section>
      <section>
        <h2>Events</h2>
        {events.problem && <ProblemBox problem={events.problem} />}
        <Events lines={events.value ?? []} isLoading={events.isLoading} />
      </section>
    </div>
  );
}

function Labels({
  info,
  title,
  entries,
}: {
  readonly info?: ResourceInfo;
  readonly title: string;
  readonly entries: Readonly<Record<string, string>>;
}) {
  const pairs = Object.entries(entries);
  if (pairs.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="labels">
        {pairs.map(([name, value]) => (
          <li key={name} title={value}>
            {info ? (
              <a href={keepLasting(tableHash(info, { filter: `label:${name}=${value}` }))}>{`${name}=${value}`}</a>
            ) : (
              `${name}=${value}`
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Conditions that are bad when true. */
const reversed = /Pressure$|^NetworkUnavailable$|^Failed$|^ReplicaFailure$|^Disrupted|^DisruptionTarget$/;

function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  if (!Array.isArray(conditions) || conditions.length === 0) return null;
  return (
    <section>
      <h2>Conditions</h2>
      <table class="plain stacked">
        <Heads titles={["Type", "Status", "Since", "Reason", "Message"]} />
        <tbody>
          {conditions.map(({ type = "", status = "", reason = "", message = "", lastTransitionTime = "" }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td class={`tone-${(status === "True") !== reversed.test(type) ? "ok" : "bad"}`}>{status}</td>
              <td>{lastTransitionTime === "" ? "" : humanDuration(now.value - Date.parse(lastTransitionTime))}</td>
              <td>{reason}</td>
              <td class="whole">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Tree({ lines }: { readonly lines: readonly RelatedObject[] }) {
  if (lines.length <= 1) return <p class="muted">Nothing owns it, and it owns nothing.</p>;
  return (
    <ul class="tree">
      {lines.map(({ ref, kind, relation, depth, isSelf, status }) => (
        <li
          key={`${relation}${ref.resource}/${ref.namespace}/${ref.name}`}
          style={{ paddingLeft: `${depth * 1.2}rem` }}
        >
          <span class="muted">{kind}</span>{" "}
          {isSelf ? <strong>{ref.name}</strong> : <a href={keepLasting(objectHash(ref))}>{ref.name}</a>}{" "}
          {relation !== "" && relation !== "owns" && relation !== "owner" && <span class="muted">({relation})</span>}{" "}
          {status !== "" && <span class={`tone-${toneOf(status)}`}>{status}</span>}
        </li>
      ))}
    </ul>
  );
}
