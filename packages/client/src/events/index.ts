export {
  createEventBroadcaster,
  type EventBroadcaster,
  type EventBroadcasterOptions,
  type EventRecorder,
  type RecordedEvent,
} from "./core-event-broadcaster.js";
export {
  createSeriesEventBroadcaster,
  type RecordedAction,
  type SeriesEventBroadcaster,
  type SeriesEventRecorder,
} from "./series-event-broadcaster.js";
export { createEventSink, type EventAccess, type EventSink, type EventType } from "./event-sink.js";
export { type Referable, referenceTo } from "./object-reference.js";

// For extenders.
export {
  type Correlated,
  type CorrelatorOptions,
  createEventCorrelator,
  type EventCorrelator,
} from "./event-correlator.js";
