/** What a parameter does, for those that no type describes; and for the options of requests, whose types have no text of ours elsewhere. */
const words = new Map([
  ["pretty", "'true' asks for indented output. Without it only answers to browsers, curl and wget are indented."],
  ["namespace", "the namespace that the object is in"],
  ["path", "path to the resource"],
  ["labelSelector", "Narrows the list of returned objects to those whose labels match. Everything when empty."],
  ["fieldSelector", "Narrows the list of returned objects to those whose fields match. Everything when empty."],
  [
    "watch",
    "Watch for changes to the described resources and receive them as a stream of added, modified and deleted objects, beginning at resourceVersion.",
  ],
  [
    "allowWatchBookmarks",
    "Allows events of type BOOKMARK in a watch: they carry only a resourceVersion from which a later watch may begin.",
  ],
  ["resourceVersion", "How fresh the answer must be, or where a watch begins. Unset: the newest state."],
  ["resourceVersionMatch", "How resourceVersion is applied to a list: Exact or NotOlderThan."],
  ["timeoutSeconds", "Ends a list or watch after this time."],
  [
    "limit",
    "At most this many objects are returned; if there are more, the answer's metadata has a continue token for the next request.",
  ],
  [
    "continue",
    "The token of a previous, limited answer: the list goes on where that one ended, as of the same moment. An expired token is answered with 410.",
  ],
  [
    "sendInitialEvents",
    "Begins a watch with the objects that exist, as ADDED events, followed by a bookmark with the annotation k8s.io/initial-events-end. Needs resourceVersionMatch=NotOlderThan.",
  ],
  [
    "shardSelector",
    "Narrows the list of returned objects to a range of hashes. Alpha: needs the gate ShardedListAndWatch.",
  ],
  ["dryRun", "'All' goes through every stage of the request but stores nothing."],
  [
    "fieldManager",
    "Who makes this change, as managedFields will name it: at most 128 printable characters. Apply requires it.",
  ],
  [
    "fieldValidation",
    "What to do about unknown and duplicate fields: Ignore drops them, Warn (the default) drops them with a warning, Strict refuses the request.",
  ],
  ["force", "Lets apply take over fields that other managers own, instead of answering with a conflict."],
  [
    "gracePeriodSeconds",
    "Seconds that the object is given to end in an orderly way; 0 deletes at once. Unset: the default of the kind.",
  ],
  ["orphanDependents", "Deprecated in favour of propagationPolicy. Whether dependents are left behind."],
  [
    "propagationPolicy",
    "What becomes of dependents: Orphan leaves them, Background deletes them afterwards, Foreground deletes them first.",
  ],
  [
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "Deletes an object that cannot be read from the store any more, without finalizers and preconditions. It may break what depends on it.",
  ],
]);

export const parameterWords = (name: string): string | undefined => words.get(name);
